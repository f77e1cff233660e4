"""The toolbox over MCP: names, descriptions, schemas. The tools themselves stand in toolbox/."""
