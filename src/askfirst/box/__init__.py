"""The box: a command runs with the project, the system and nothing else, and what it changes is judged before it
reaches the disk.

| module | what |
|---|---|
| `plan` | values: what is to run contained (`Plan`), what became of it (`Finished`) |
| `inside` | what a box shows, hides and lets be written: one value, from which every engine is told |
| `engine`, `engines` | what an engine is, and which one this machine has (tried once, remembered) |
| `runs` | single-use records: a plan becomes a short command line, and a changed input its original again |
| `start` | the process behind that line: light, because every contained command pays for it |
| `stream` | how output passes through it |
"""
