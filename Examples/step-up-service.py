#!/usr/bin/env python3
"""A service of this machine that has its person approve each dangerous request.

usage: step-up-service.py --keys FILE [--port N] [--socket PATH] [--device NAME] [--policy NAME]
                          [--allow-simulated]

It runs as the person, at the person's machine: a release tool, a bot that writes code, a wallet. Whoever
can reach its port may send a request, and nothing about one is believed. `DELETE /releases/42` makes the
service ask the person, through LocalAuth, for exactly that, on the terminal that the service was started
from; the request waits. What comes back is signed, so the service does not have to believe its socket
either: it verifies the assertion against keys that it was given beforehand, and answers with a receipt.

FILE is what `authctl jwks` printed. It needs the packages of requirements.txt.
"""

import argparse
import base64
import getpass
import hashlib
import http.server
import json
import os
import secrets
import socket
import struct
import subprocess
import sys
import time

import jwt
import varlink

AUTHENTICATION = "io.localauth.Authentication"
# What a success of the policy is worth, as the policy says.
ACR = "urn:localauth:acr:"
# For how long the person is asked, and how old an approval may be when it comes back.
PATIENCE_SECONDS = 60
# Outcomes in which a person, or the state of their finger or passcode, says no. All others are faults.
REFUSALS = {
    "authenticationFailed",
    "userCancel",
    "userFallback",
    "timeout",
    "biometryLockout",
    "passcodeThrottled",
    "simulatedNotAllowed",
}


class Refused(Exception):
    """The person did not approve it."""


class Broken(Exception):
    """Nobody could be asked, or what came back cannot be believed."""


class Approver:
    """Asks the person at this machine, and believes what LocalAuth signed."""

    def __init__(self, options, audience):
        self.audience = audience
        self.policy = options.policy
        self.device = options.device
        self.allows_simulated = options.allow_simulated
        self.client = varlink.Client.new_with_address("unix:" + (options.socket or find_socket()))
        with open(options.keys, encoding="utf-8") as file:
            published = json.load(file)
        self.issuer = published["issuer"]
        self.keys = jwt.PyJWKSet.from_dict(published)

    def approve(self, action):
        """Returns the verified claims of the person's approval, or raises why there is none."""
        # New for each request and never used again, so no earlier approval can be passed off as this one.
        nonce = secrets.token_urlsafe(16)
        try:
            result = self.evaluate(action, nonce)
        except (OSError, varlink.VarlinkError) as error:
            raise Broken(f"LocalAuth cannot be asked: {error}") from error
        if result["outcome"] != "success":
            kind = Refused if result["outcome"] in REFUSALS else Broken
            raise kind(result["message"])
        return self.verify(result.get("assertion") or "", action, nonce)

    def evaluate(self, action, nonce):
        """Evaluates the policy; the prompts of the stream are shown and answered here."""
        request = {
            "policy": self.policy,
            "reason": "a request to this service",
            "action": action,
            "assertion": {"audience": self.audience, "nonce": nonce},
            "device": self.device,
            "timeoutMilliseconds": PATIENCE_SECONDS * 1000,
            "allowSimulated": self.allows_simulated,
        }
        with self.connect() as stream, self.connect() as answers:
            # The connection that asks is taken until the result; answers need another one.
            for reply in stream.Evaluate(**request, _more=True):
                if reply.get("notice"):
                    print(reply["notice"]["text"], flush=True)
                if reply.get("prompt"):
                    self.show(reply["prompt"], answers)
                if reply.get("result"):
                    return reply["result"]
        raise Broken("LocalAuth ended without a result.")

    def show(self, prompt, answers):
        """Shows a prompt, and answers it where something is to be typed."""
        print(f"Approve: {prompt['action']}", flush=True)
        if prompt["biometry"]:
            print("Touch the fingerprint sensor.", flush=True)
        question = prompt.get("passcodePrompt")
        if not question or not sys.stdin.isatty():
            return
        passcode = getpass.getpass(f"{question} ")
        answer = {"passcode": passcode} if passcode else {"action": "cancel"}
        try:
            answers.Respond(nonce=prompt["nonce"], **answer)
        except varlink.VarlinkError as error:
            # Its time was over, or a finger was faster: the result says which.
            if error.error() != AUTHENTICATION + ".PromptNotFound":
                raise

    def connect(self):
        """A connection to a daemon that is this user's: nobody else is told anything."""
        connection = self.client.open_connection()
        peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        _, uid, _ = struct.unpack("3i", peer)
        if uid != os.getuid():
            connection.close()
            raise Broken("The socket is another user's.")
        return self.client.open(AUTHENTICATION, connection=connection)

    def verify(self, assertion, action, nonce):
        """Believes an assertion only if it is signed, for us, for this request and for this action."""
        try:
            header = jwt.get_unverified_header(assertion)
            # The algorithm and the type are ours to say; of the header only the key's name is used.
            key = next(key for key in self.keys.keys if key.key_id == header.get("kid"))
            claims = jwt.decode(
                assertion,
                key.key,
                algorithms=["EdDSA"],
                audience=self.audience,
                issuer=self.issuer,
                options={"require": ["iss", "aud", "iat", "exp", "auth_time", "jti", "nonce"]},
            )
        except StopIteration:
            raise Broken("The assertion is signed by a key that is not trusted.") from None
        except jwt.PyJWTError as error:
            raise Broken(f"The assertion does not count: {error}") from error
        if header.get("typ") != "localauth+jwt":
            raise Broken("The token is not an assertion.")
        if claims["nonce"] != nonce:
            raise Broken("The assertion answers another request.")
        digest = hashlib.sha256(action.encode()).digest()
        if claims.get("action_digest") != base64.urlsafe_b64encode(digest).decode().rstrip("="):
            raise Broken("The assertion approves another action.")
        if claims.get("acr") != ACR + self.policy:
            raise Broken("The assertion is worth something else than was asked for.")
        if time.time() - claims["auth_time"] > PATIENCE_SECONDS:
            raise Broken("The assertion rests on a proof that is too old.")
        # A missing claim is not a real device.
        if claims.get("sim") is not False and not self.allows_simulated:
            raise Broken("The assertion is a simulated device's.")
        return claims


def find_socket():
    """Where the user's daemon listens; authctl starts it."""
    status = subprocess.run(["authctl", "--json", "status"], check=True, capture_output=True)
    return json.loads(status.stdout)["daemon"]["socket"]


class ReleaseHandler(http.server.BaseHTTPRequestHandler):
    """`DELETE /releases/42`, once the person has said so."""

    timeout = 5
    releases = {41, 42, 43}
    approver = None
    address = None

    def do_GET(self):
        if self.path == "/releases":
            self.answer(200, sorted(self.releases))
        else:
            self.answer(404, {"error": "There is no such thing."})

    def do_DELETE(self):
        # A web page that had its name resolved to us would send its own name.
        if self.headers.get("Host") != self.address:
            return self.answer(403, {"error": "This service is not called that."})
        found = [n for n in self.releases if self.path == f"/releases/{n}"]
        if not found:
            return self.answer(404, {"error": "There is no such release."})
        # From the number that is about to be deleted, not from the request's words.
        action = f"delete release {found[0]}"
        try:
            claims = self.approver.approve(action)
        except Refused as refusal:
            return self.answer(403, {"error": str(refusal)})
        except Broken as fault:
            return self.answer(503, {"error": str(fault)})
        self.releases.discard(found[0])
        receipt = {name: claims[name] for name in ("acr", "amr", "auth_time", "jti", "sim")}
        return self.answer(200, {"done": action, "approval": receipt})

    def answer(self, status, value):
        body = (json.dumps(value) + "\n").encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    parser = argparse.ArgumentParser(description="Deletes releases that the person agrees to.")
    parser.add_argument("--keys", required=True, help="what `authctl jwks` printed")
    parser.add_argument("--port", type=int, default=8043)
    parser.add_argument("--socket", help="the daemon's; authctl says which, unless given")
    parser.add_argument("--device", default="default")
    parser.add_argument("--policy", default="device-owner")
    parser.add_argument("--allow-simulated", action="store_true", help="for tests only")
    options = parser.parse_args()
    # One request after the other: there is one person.
    server = http.server.HTTPServer(("127.0.0.1", options.port), ReleaseHandler)
    ReleaseHandler.address = f"127.0.0.1:{server.server_port}"
    audience = "http://" + ReleaseHandler.address
    ReleaseHandler.approver = Approver(options, audience)
    print(f"listening on {audience}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
