"""Parts of the pages of a table, and commands that change them."""

from flask.testing import FlaskClient

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.web_pages.markup import flat


def part(client: FlaskClient, table: str, name: str, **more: str) -> str:
    answer = client.get(f"/tables/{table}/live", query_string={"part": name, "lang": "en", **more})
    assert answer.status_code == 200
    return flat(answer)


def give(tables: Tables, table: str, **command: object) -> None:
    fields = {key.removesuffix("_"): value for key, value in command.items()}
    tables.get(table).submit(Request(fields, "banker", "test"))
