"""A Varlink client that is not ours (PyPI `varlink`): it learns the interfaces from the service,
evaluates a policy and answers the prompt over a second connection of the same process."""

import sys

import varlink


def check(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")


def introspect(client):
    with client.open("org.varlink.service") as service:
        info = service.GetInfo()
        check(info["vendor"] == "LocalAuth", "GetInfo")
        for name in info["interfaces"]:
            # Parses the description, and complains about one that is not Varlink.
            interface = client.get_interface(name)
            check(interface.name == name, name)
            check(interface.members, name + " is empty")
    return info["interfaces"]


def evaluate(asking, answering):
    outcomes = []
    wrong_nonce = "0" * 32
    replies = asking.Evaluate(
        policy="passcode",
        reason="a test in Python",
        device="sim",
        allowSimulated=True,
        _more=True,
    )
    for reply in replies:
        # While an answer is being judged the prompt asks for none.
        if reply.get("prompt") and reply["prompt"].get("passcodePrompt"):
            try:
                answering.Respond(nonce=wrong_nonce, passcode="1234")
                check(False, "a guessed nonce was taken")
            except varlink.VarlinkError as error:
                check(error.error().endswith("PromptNotFound"), error.error())
            answering.Respond(nonce=reply["prompt"]["nonce"], passcode="1234")
        if reply.get("result"):
            outcomes.append(reply["result"]["outcome"])
    check(outcomes == ["success"], f"outcomes {outcomes}")


def main(address):
    client = varlink.Client.new_with_address(address)
    interfaces = introspect(client)
    check("io.localauth.Authentication" in interfaces, "no Authentication")
    with client.open("io.localauth.Devices") as devices:
        devices.Create(device="sim", fingers=["right-index-finger"], passcode="1234")
        names = [device["name"] for device in devices.List()["devices"]]
        check(names == ["default", "sim"], f"devices {names}")
    authentication = "io.localauth.Authentication"
    with client.open(authentication) as asking, client.open(authentication) as answering:
        evaluate(asking, answering)
        can = answering.CanEvaluate(policy="biometrics", device="sim", allowSimulated=True)
        check(can["result"]["outcome"] == "success", "CanEvaluate")
        try:
            answering.CanEvaluate(policy="nobody")
            check(False, "a policy that is not there")
        except varlink.VarlinkError as error:
            check(error.error() == authentication + ".PolicyNotFound", error.error())
    print("ok")


main(sys.argv[1])
