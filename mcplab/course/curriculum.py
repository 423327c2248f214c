"""What the whole course teaches: one row an item. Lessons and exercises name these ids.

The list is longer than the lessons that exist: it is the plan. `graded` says that an
exercise must test the item, not only a lesson show it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a learner can do afterwards."""

    id: str
    can: str
    graded: bool = True


_ROWS = """
A1 name the four fields of a tool descriptor, and know that the model sees no code
A2 read the stop signal in both dialects and let it alone drive the loop; keep text beside requests
A3 build the three messages of step 4, and know what breaks when one is missing
A4 carry every request id back unchanged and answer every one, errors too
A5 count model calls, server calls and messages of a run
A6 handle a result as a list of content blocks, and warn on an unknown kind
A7 draw and read the sequence diagram of host, model and server
A8 label each line of a raw log with its step, and say what the model saw
A9 follow one tool call through its nine stages
A10 run one server unchanged in memory, over stdio and over Streamable HTTP
B1 translate tools, requests and results between the vendors' dialects
B2 parse the arguments of a request, legal or not, without crossing results
B3 serve a model that has no tools field, through the prompt
B4 say what strict mode promises and what it does not
C1 measure what a vague description costs, and name what it lacks
C2 write a clear description and compare it fairly with the vague one
C3 add an enum and tell three kinds of refused argument apart
C4 take identity and other facts from the login, not from the arguments
C5 write a sound compute tool with decimal money
D1 set the four positions of tool_choice in both dialects
D2 show that forcing a call does not supply the facts
D3 know that tool_choice belongs to the vendor and not to MCP
E1 run two independent calls of one round in parallel and return both by id
E2 run a dependent pair, and stop when the first finds nothing
E3 run the expense case, with a person's yes before the tool that writes
E4 know that parallel calls save rounds and not context
F1 print the messages of each round with their size
F2 write a log that rebuilds the chain and holds no secret
F3 shrink the history and keep what still matters
F4 cut a large result down to what the model needs
G1 turn failures into structured results of four classes
G2 keep stack traces, keys and paths away from model and user
G3 never run twice what must run once
G4 say "not found" and "failed" in words
G5 see a model correct itself after a good error message
G6 tell a protocol error from an execution error
H1 provoke a loop that never ends by itself
H2 add every guard, each with a reason that it states
I1 plot accuracy against the number of tools, with error bars
I2 tell overlap from sheer length, and apply the cure of each
I3 read a confusion matrix and mend the pair that collides
I4 let the model write a program over tools, and count what it saves
J1 list and use tools, resources and prompts, and say who drives each
J2 explain why the handshake went, and fall back for old servers
J3 write and check a server/discover exchange
J4 relate resultType, structuredContent and outputSchema
J5 chain tools on structured results
J6 play a request that needs several round trips, and protect its state
J7 listen to changes by subscription
J8 tell Streamable HTTP from the older transport, and check its headers
J9 walk the discovery of authorization
J10 choose form or URL elicitation, and refuse what is forbidden
J11 build a stateful tool without a session
J12 decide between MCP, a plain function and another agent
J13 see that every kind of tool looks the same to the model
K1 build a small helper end to end
"""


def _items() -> dict[str, Item]:
    rows = (line.split(" ", 1) for line in _ROWS.strip().splitlines())
    return {name: Item(name, text) for name, text in rows}


CURRICULUM: dict[str, Item] = _items()
