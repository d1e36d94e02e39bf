import atexit
import ipaddress
import itertools
import json
import os

import requests
import schemathesis

# Each request comes from an address of its own, or all but the first few hundred would only meet the rate limit.
addresses = itertools.count(int(ipaddress.IPv4Address(os.environ["STOA_FUZZ_ADDRESSES"])))
# A creator with pictures; and accounts whose sessions may end, one after the other.
signed_in = json.loads(os.environ.get("STOA_FUZZ_SIGNED_IN", "null"))
answered = set()


@schemathesis.hook
def before_call(context, case, kwargs):
    case.headers["X-Forwarded-For"] = str(ipaddress.IPv4Address(next(addresses)))
    if signed_in and case.meta and case.meta.generation.mode.is_positive:
        make_possible(case)


def make_possible(case):
    """No generator guesses the id of an upload, and few make up a host that everybody reaches."""
    body = case.body
    if not isinstance(body, dict):
        return
    for name in ("coverImageId", "profileImageId", "headerImageId"):
        if isinstance(body.get(name), str):
            body[name] = signed_in[name]
    if body.get("files"):
        body["files"] = [{"id": signed_in["fileId"]}]
    # A change of an offering keeps what was made up.
    if case.path == "/api/offerings":
        for name in ("paymentUrl", "productUrl"):
            if isinstance(body.get(name), str):
                body[name] = "https://pay.example.com/"
    # The bio is left as it was made up: JSON Schema can say neither what a name may look like nor that each niche comes once.
    if case.path == "/api/me/profile" and isinstance(body.get("niches"), list):
        body["displayName"] = "Ada"
        body["niches"] = list(dict.fromkeys(body["niches"]))
        body["paygates"] = [{"name": "Pay", "url": "https://pay.example.com/"} for _ in body["paygates"]]
        body["socialLinks"] = dict.fromkeys(body["socialLinks"])


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code < 300:
        answered.add(f"{case.method} {case.path}")
    if response.status_code < 300 and (case.method, case.path) == ("POST", "/api/uploads"):
        post_file(response.json())
    ended = ends_sessions(case) and case.method != "OPTIONS" and response.status_code in (202, 204)
    if ended and signed_in and len(signed_in["spares"]) > 1:
        signed_in["spares"].pop(0)


def post_file(grant):
    """What a browser does before it calls again: the store is no part of the API."""
    requests.post(grant["url"], data=grant["fields"], files={"file": b"x"}, timeout=20)


# For the test, which wants to know that something got through.
atexit.register(lambda: print("Answered: " + json.dumps(sorted(answered))))


def ends_sessions(case):
    paths = ("/api/account/deletion", "/api/account/sessions/{id}", "/api/account/sign-out-everywhere")
    return case.path in paths


if signed_in:
    # As authentication and not as a header, so that leaving it out is tried as well; asked again for each request.
    @schemathesis.auth(refresh_interval=None)
    class SignedIn:
        def get(self, case, context):
            return signed_in["spares"][0] if ends_sessions(case) else signed_in["token"]

        def set(self, case, data, context):
            case.headers = case.headers or {}
            case.headers["Authorization"] = f"Bearer {data}"
