"""Whatever is sent to the interface, by its own description: no error of ours, and no answer that it does not tell of.

The cases are Schemathesis's: bodies, addresses and headers that the description allows.
"""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import checks
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks as described_checks

from companion.service.access.logins import Caller
from companion.service.table.table import Request
from tests import extent
from tests.browser.conftest import serving
from tests.web.conftest import START

PLACES = {"box_id": "box", "card": "W07", "player": "blue"}
"""What stands in addresses, so that most cases find something."""
ENDLESS = "/stream$"
CASES = extent.of_all(1, 12)
CHECKS = [
    checks.not_a_server_error,
    described_checks.status_code_conformance,
    described_checks.content_type_conformance,
    described_checks.response_schema_conformance,
]

schemathesis.serializer.alias("application/toml", "text/plain")


@pytest.fixture
def quiet() -> Iterator[None]:
    """Silence the log: refusals need not be logged a thousand times."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.slow
@pytest.mark.usefixtures("quiet")
def test_every_answer_is_one_that_the_description_tells_of(tmp_path: Path) -> None:
    # given an installation with a table and a box, whose caller is the banker
    with serving(tmp_path / "data", "none") as running:
        services = running.services
        table = services.tables.start(Request(START, "banker", "tap"))
        assert services.boxes is not None
        services.boxes.begin("master_builder", "box")
        places = {**PLACES, "table_id": table.id}
        token = {"Authorization": f"Bearer {services.logins.token(Caller('banker'))}"}
        described = schemathesis.openapi.from_url(f"{running.address}/api/v1/openapi.json")
        results = described.exclude(path_regex=ENDLESS).get_all_operations()
        operations = [result.ok() for result in results if isinstance(result, Ok)]
        assert len(operations) > 50

        # when each call is made in many ways, then each answer is described, and none is an error of the program
        for operation in operations:

            @settings(
                max_examples=CASES,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy())
            def called(case: "schemathesis.Case[Any]") -> None:
                case.path_parameters = {name: places.get(name, value) for name, value in case.path_parameters.items()}
                case.validate_response(case.call(headers=token), checks=CHECKS)

            called()
