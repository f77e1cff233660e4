"""The warm gate: one process a user and version that has everything loaded, and thin clients that ask it.

    client.c, thin ──(protocol)──> serve -> call -> hook.respond      one code path, warm or cold
           └── anything odd ──> the cold hook ──> recovery (a reply that was lost), start (the next call is warm)

Promised: it is only a cache. The cold hook gives the same answer, the same record and the same counts; whatever is odd
ends there, or in a deny. A call is judged once: see the token in protocol.py.
"""
