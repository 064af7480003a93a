"""Items of the keychain, keys, and what contexts have proven."""

from evaluations import scripting

KEYCHAIN = "io.localauth.Keychain."
FLAGS = [[], [], ["biometryAny"], ["biometryCurrentSet"], ["devicePasscode"], ["userPresence"], ["applicationPassword"],
         ["biometryAny", "or", "devicePasscode"], ["biometryAny", "and", "devicePasscode"], ["biometryAny", "eachUse"],
         ["devicePasscode", "and", "applicationPassword"], ["privateKeyUsage", "biometryAny"], ["privateKeyUsage"],
         ["biometryAny", "or"]]
PROTECTIONS = ["ak", "ck", "dk", "aku", "cku", "akpu"]
ACCOUNTS = ["ann", "ann", "bob"]
ECDSA, EDDSA = "algid:sign:ECDSA:message-X962:SHA256", "algid:sign:EdDSA:message-Curve25519:SHA512"
ECDH = ["algid:keyexchange:ECDH", "algid:keyexchange:ECDH:KDFX963:SHA256", "none"]
# The generator of P-256: anybody's public key.
POINT = ("BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU=")


def asking(life, device):
    """How somebody can be asked, and what for."""
    more = {"device": device, "allowSimulated": True, "timeoutMilliseconds": 600_000}
    more |= life.some(applicationPassword=(0.2, ["pepper", "pepper", "salt"]), context=(0.5, [1, 2]),
                      reason=(0.1, ["why"]))
    how = life.choose({"script": 10, "silent": 3, "person": 6, "agent": 1})
    more |= {"script": scripting(life, device), "silent": {"interactive": False}, "person": {},
             "agent": {"agent": True}}[how]
    # What is proven counts on this connection alone.
    return {"caller": life.caller, "line": life.choose(["a", "a", "b"]), "more": how != "silent", **more}


def described(life, kind=None):
    kind = kind or life.choose({"genp": 8, "inet": 1, "cert": 0.3})
    query = {"class": kind, "acct": life.choose(ACCOUNTS)}
    query |= {"genp": {"svce": "service"}, "inet": {"srvr": "mail.example", "port": 993}, "cert": {"labl": "a"}}[kind]
    return query


def protected(life):
    if life.chance(0.65):
        return {"accc": {"accessControl": {"protection": life.choose(PROTECTIONS), "flags": life.choose(FLAGS)}}}
    return {"pdmn": life.choose(PROTECTIONS)} if life.chance(0.8) else {}


def add(life):
    how = asking(life, life.device)
    kind = life.choose({"item": 7, "items": 1, "key": 4})
    if kind == "key":
        life.keys += 1
        query = {"class": "keys", "labl": f"key {life.keys}", **protected(life),
                 **life.some(type=(0.6, ["73", "105", "42"]))}
        return life.call(KEYCHAIN + "GenerateKey", query=query, **how)
    if kind == "items":
        # One of a class, because nothing else tells which of them was added first.
        new = [{"query": {**described(life, kind), **protected(life)}, "data": "b25l"}
               for kind in life.random.sample(["genp", "inet", "cert"], life.choose([1, 2, 2, 3]))]
        return life.call(KEYCHAIN + "AddAll", items=new, **how)
    query = {**described(life), **protected(life), **life.some(r_Attributes=(0.1, [True]), agrp=(0.05, ["no group"]))}
    life.call(KEYCHAIN + "Add", query=query, data="aHVudGVyMg==", **how)


def use(life):
    # One item is meant, or nobody is asked: which of several is asked for first is not for a transcript to say.
    how = asking(life, life.device)
    query = {"class": "genp", "acct": life.choose(ACCOUNTS), "svce": life.choose(["service"] * 9 + ["else"])}
    wanted = {**query, life.choose(["r_Data", "r_Data", "r_Attributes", "r_PersistentRef"]): True,
              **life.some(m_Limit=(0.35, ["m_LimitAll", 1, "m_LimitNone"]))}
    if "interactive" in how:
        query = {"class": life.choose(["genp", "genp", "inet", "keys"])}
        wanted = {**query, "r_Attributes": True, "m_Limit": "m_LimitAll"}
    key = {"class": "keys", "labl": f"key {life.random.randint(1, max(1, life.keys))}"}
    control = {"protection": life.choose(PROTECTIONS), "flags": life.choose(FLAGS)}
    name, more = life.choose([
        ("Copy", {"query": wanted}), ("Copy", {"query": wanted}), ("Copy", {"query": wanted}),
        ("Update", {"query": query, "changes": {"icmt": "changed"}, "data": "bmV3"}),
        ("Update", {"query": query, "changes": protected(life)}), ("Delete", {"query": query}),
        *[("Sign", {"query": key, "algorithm": life.choose([ECDSA, EDDSA, "none"]), "message": "AQ=="})] * 2,
        ("ExchangeKeys", {"query": key, "algorithm": life.choose(ECDH),
                          "publicKey": life.choose([POINT, POINT, "AQ=="]), **life.some(size=(0.5, [16, 0]))}),
        ("EvaluateAccessControl", {"accessControl": control,
                                   "operation": life.choose(["decrypt", "delete", "useKey"])}),
    ])
    life.call(KEYCHAIN + name, **more, **how)


def context(life):
    """The same context again and again, then its end."""
    device, caller = life.device, life.caller
    same = {"caller": caller, "line": "a", "more": True, "device": device, "allowSimulated": True, "context": 1}
    query = {"class": "genp", "acct": "ann", "svce": "service"}
    if life.chance(0.7):
        control = {"accessControl": {"protection": "ak", "flags": life.choose(FLAGS[2:10])}}
        life.call(KEYCHAIN + "Add", query={**query, "accc": control}, data="aHVudGVyMg==", **same)
    for _ in range(life.random.randint(1, 3)):
        more = {"script": "match,passcode:1234,cancel"} if life.chance(0.7) else {"interactive": False}
        life.call(KEYCHAIN + "Copy", query={**query, "r_Data": True}, **same, **more)
    if life.chance(0.7):
        life.call(KEYCHAIN + "InvalidateContext", caller=caller, line="a", context=life.choose([1, 1, 2]))
        life.call(KEYCHAIN + "Copy", query={**query, "r_Data": True}, **same, interactive=False)
