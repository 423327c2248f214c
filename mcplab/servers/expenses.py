"""A mock MCP server: travel expenses, with four tools of four kinds.

A mock: its people, expenses and limits are invented, and "filing" only writes to memory.

```
python expenses.py                 # over stdio
python expenses.py --http 8000     # over Streamable HTTP, on 127.0.0.1
```
"""
# ruff: noqa: UP013 - one line holds a whole type, so that the file stays short

from __future__ import annotations

import csv
import hashlib
import json
import sys
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from inspect import getdoc
from typing import Annotated, Any, Literal, TypedDict, cast

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

server = MCPServer(
    "expenses",
    version="1.0",
    instructions="A mock expense helper for lessons. Its people, expenses and limits are invented.",
    log_level="WARNING",
)
reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
writes = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True)

Category = Literal["hotel", "meals", "train", "taxi"]
JobLevel = Literal["L1", "L2", "L3", "L4", "L5"]
ExpenseId = Annotated[str, Field(pattern=r"^E-\d{4}$", description="For example E-1042")]
Euros = Annotated[str, Field(pattern=r"^-?\d+\.\d+$", description="In EUR, for example 480.00")]
Reason = Annotated[str, Field(min_length=3, description="Why it should be paid, in words")]

EXPENSES = """\
expense_id,amount,currency,category,city,employee,job_level,date,status
E-1041,64.20,EUR,meals,Lyon,Ben Okoye,L2,2026-09-11,approved
E-1042,480.00,EUR,hotel,Zurich,Ana Costa,L3,2026-09-14,rejected
E-1043,212.90,EUR,train,Milan,Ana Costa,L3,2026-09-15,approved
E-1044,23.00,EUR,taxi,Lyon,Kim Sato,L1,2026-09-15,rejected"""
LIMITS = """\
category,currency,per,L1,L2,L3,L4,L5
hotel,EUR,night,220.00,280.00,350.00,420.00,500.00
meals,EUR,day,45.00,55.00,65.00,75.00,90.00
train,EUR,trip,150.00,150.00,250.00,250.00,400.00
taxi,EUR,ride,0.00,30.00,40.00,60.00,60.00"""

Expense = TypedDict("Expense", {
    "expense_id": str, "amount": str, "currency": str, "category": str, "city": str,
    "employee": str, "job_level": str, "date": str, "status": str,
})  # fmt: skip
Policy = TypedDict("Policy", {
    "category": str, "job_level": str, "limit": str, "currency": str, "per": str,
})  # fmt: skip
Excess = TypedDict("Excess", {"ok": bool, "excess": str, "error": str}, total=False)
Supplement = TypedDict("Supplement", {
    "supplement_id": str, "expense_id": str, "excess": str, "status": str,
})  # fmt: skip

expenses = {row["expense_id"]: row for row in csv.DictReader(EXPENSES.splitlines())}
limits = {row["category"]: row for row in csv.DictReader(LIMITS.splitlines())}
supplements: dict[str, Supplement] = {}  # what was filed, by its id


def lookup_expense(expense_id: ExpenseId) -> Expense:
    """Look up one expense by its id. Call it when the user names an expense.

    Returns amount (for one night, day, trip or ride), currency, category, city, employee,
    job_level, date and status. It cannot search by name or date, and it changes nothing.
    """
    if expense_id not in expenses:
        raise ToolError(f"Not found: there is no expense {expense_id}. Ask the user for the id.")
    return cast(Expense, expenses[expense_id])


def lookup_policy(category: Category, job_level: JobLevel) -> Policy:
    """Look up the policy limit of an expense category (such as hotel) for a job level.

    Call it before you say whether an expense is within policy. Returns the limit, its
    currency and what it is counted per. It knows no exceptions.
    """
    row = limits[category]
    return Policy(
        category=category,
        job_level=job_level,
        limit=row[job_level],
        currency=row["currency"],
        per=row["per"],
    )


def compute_excess(amount: Euros, limit: Euros) -> Annotated[CallToolResult, Excess]:
    """Compute the excess: by how much an amount is over a limit, exact to the cent.

    Call it with the amount and the limit that were looked up, never with guesses. Returns
    ok and excess (0.00 within the limit, all of the amount when the limit is 0.00); or ok
    false and an error. It converts no currencies.
    """
    try:
        over = max(cents(amount) - cents(limit), Decimal("0.00"))
    except ToolError as problem:
        return answer(ok=False, error=f"Nothing was computed: {problem}")
    return answer(ok=True, excess=str(over))


def file_supplement(expense_id: ExpenseId, excess: Euros, reason: Reason) -> Supplement:
    """File a supplement request: ask for the excess of a rejected expense to be paid.

    Call it last, with the computed excess, once the user agrees. It writes. The same
    request twice is filed once. Returns supplement_id and status. It approves nothing.
    """
    amount, asked = lookup_expense(expense_id)["amount"], cents(excess)
    if not 0 < asked <= cents(amount):
        raise ToolError(f"Not filed: the excess must be more than 0.00 and at most {amount} EUR.")
    content = f"{expense_id} {asked} {reason.strip()}"
    key = "S-" + hashlib.sha256(content.encode()).hexdigest()[:8]
    new = Supplement(supplement_id=key, expense_id=expense_id, excess=str(asked), status="filed")
    return supplements.setdefault(key, new)


def cents(text: str) -> Decimal:
    """The amount, rounded half up to the cent."""
    try:
        value = Decimal(text).quantize(Decimal("0.01"), ROUND_HALF_UP)
        sound = 0 <= value < 1_000_000
    except InvalidOperation:
        sound = False
    if not sound:
        raise ToolError(f"{text} is not an amount from 0.00 to 999999.99 EUR.")
    return value


def answer(**excess: Any) -> CallToolResult:
    """The same answer twice: as text for the model, structured for programs."""
    text = TextContent(type="text", text=json.dumps(excess))
    return CallToolResult(content=[text], structured_content=excess, is_error=not excess["ok"])


# Without getdoc the descriptions keep the indentation, and every space costs tokens.
for function in (lookup_expense, lookup_policy, compute_excess):
    server.add_tool(function, annotations=reads, description=getdoc(function))
server.add_tool(file_supplement, annotations=writes, description=getdoc(file_supplement))

if __name__ == "__main__":
    if sys.argv[1:2] == ["--http"]:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        server.run("stdio")
