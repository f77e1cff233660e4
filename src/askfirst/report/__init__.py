"""What the rules and the log tell: what is allowed, figures, suggestions, replay, exports. Commands only draw it."""
