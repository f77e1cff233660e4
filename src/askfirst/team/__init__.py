"""A team answers: requests wait on the asking machine and in the team's PostgreSQL, and the first answer wins.

Who is the authority for what:

    the call itself      the hook that waits. It acts on the one decision that `os.link` made in its local store, and
                         on nothing else.
    who was first        the row in the database, while it can be reached. Every answer is claimed there first, also
                         those of the asking machine's own surfaces, its expiry and its withdrawal, and only then
                         linked locally. Whoever loses is told who won.
    what needs another   the team alone. A yes in the local store does not count for it, whoever wrote it: the hook
    person, or two       itself verifies the signatures of the team's answers, and makes the link with the result.
    everything else      the team, or the person at the machine.
    a no                 anybody's, signed or not.
    rules and grants     the asking machine, as without a team. What the team grants is stored there, `by NAME via
                         team`.

While the database is away, what needs another person is denied; the rest is answered at the machine, and told to the
database afterwards as an event. So the two can differ only during a partition, and then both stand in both logs: the
answer that the machine took, and the team's, which was never taken (`request.taken` says so to whoever gave it).

    hook          local store            courier             database            approver
    asks  ----->  pending/ID/request  -> submit() ---------> request <---------- watch, page, approve
    waits on the bell                    (relay, or the      decide() <--------- body + signature
    <- verifies - pending/ID/team    <-- hook that polls) <- answers_to()
    links -----> pending/ID/decision

A courier carries and decides nothing: what it writes is evidence that the hook checks. A machine has one relay with one
connection that listens, or else one of the waiting hooks polls for all of them.
"""
