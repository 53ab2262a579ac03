"""Checks a SCIM server by the published conformance suite."""

import guard  # noqa: F401  (first: refuses what leaves this machine)

import os

from httpx2 import Client
from result import report
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

http = Client(
    base_url=os.environ['SCIM_URL'],
    headers={'Authorization': 'Bearer ' + os.environ['SCIM_KEY']},
)
client = SyncSCIMClient(http)
client.discover()
results = check_server(client)
report(
    {
        'passed': sum(1 for one in results if one.status == Status.SUCCESS),
        'failed': [
            [one.status.name, one.title, str(one.reason)[:300]]
            for one in results
            if one.status not in (Status.SUCCESS, Status.SKIPPED)
        ],
    }
)
