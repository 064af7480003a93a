"""Verifies an assertion as a service in Python would (Debian's python3-jwt): the key set, the token
and what it must say are arguments; the exit status is 0 only where all of it holds."""

import base64
import hashlib
import sys

import jwt


def main(keys, issuer, token, audience, nonce, action, allowed):
    header = jwt.get_unverified_header(token)
    if header.get("typ") != "localauth+jwt":
        sys.exit("type")
    found = [key for key in jwt.PyJWKSet.from_json(keys).keys if key.key_id == header.get("kid")]
    if len(found) != 1:
        sys.exit("unknown key")
    try:
        claims = jwt.decode(
            token,
            found[0].key,
            algorithms=["EdDSA"],
            audience=audience,
            issuer=issuer,
            options={"require": ["iss", "sub", "aud", "iat", "exp", "auth_time", "jti", "nonce"]},
        )
    except jwt.PyJWTError as error:
        sys.exit(type(error).__name__)
    digest = hashlib.sha256(action.encode()).digest()
    if claims["nonce"] != nonce:
        sys.exit("nonce")
    if claims["action_digest"] != base64.urlsafe_b64encode(digest).decode().rstrip("="):
        sys.exit("action")
    if claims["sim"] and allowed != "simulated":
        sys.exit("simulated")
    if claims["exp"] - claims["iat"] != 60 or not claims["auth_time"] <= claims["iat"]:
        sys.exit("times")
    print(claims["acr"], " ".join(claims["amr"]))


main(*sys.argv[1:])
