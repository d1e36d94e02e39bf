import ipaddress
import itertools
import os

import schemathesis

# Each request comes from an address of its own, or all but the first few hundred would only meet the rate limit.
addresses = itertools.count(int(ipaddress.IPv4Address("198.18.0.1")))
token = os.environ.get("STOA_FUZZ_TOKEN")


@schemathesis.hook
def before_call(context, case, kwargs):
    case.headers["X-Forwarded-For"] = str(ipaddress.IPv4Address(next(addresses)))


if token:
    # As authentication and not as a header, so that leaving it out is tried as well.
    @schemathesis.auth()
    class SignedIn:
        def get(self, case, context):
            return token

        def set(self, case, data, context):
            case.headers = case.headers or {}
            case.headers["Authorization"] = f"Bearer {data}"
