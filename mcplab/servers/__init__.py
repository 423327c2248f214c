"""Mock MCP servers, each one file that you can read, copy and run on its own.

```
python calculator.py                 # over stdio
python calculator.py --http 8000     # over Streamable HTTP, on 127.0.0.1
```

or in memory, from Python: ``mcplab.connect("calculator")``. They import nothing of mcplab.
"""
