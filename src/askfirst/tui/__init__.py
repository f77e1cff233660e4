"""Questions on a terminal: a dialog where a frame can be drawn, plain lines elsewhere.

`watch.watch_here` answers a queue, `ask.ask_here` one question. Both render a Question and hand back an Answer.
"""
