"""What the code authenticator promises. Run `python3 -m unittest -v` in this directory."""
import base64, contextlib, hashlib, importlib.machinery, importlib.util, io, json, os, pathlib, random, socket
import subprocess, sys, tempfile, time, types, unittest, urllib.parse
from unittest import mock

PROGRAM = pathlib.Path(__file__).resolve().parent / "code-authenticator"
INTERFACE = "io.localauth.Authenticator."
RFC_SECRET = b"12345678901234567890"
MOMENT = 1_700_000_010.0  # Ten seconds before a new step.

# Gives the program its socket as descriptor 3, as the daemon does; what precedes the program is a fault to inject.
LAUNCHER = """
import os, runpy, sys
descriptor, path, fault = int(sys.argv[1]), sys.argv[2], sys.argv[3]
if descriptor != 3:
    os.dup2(descriptor, 3)
    os.close(descriptor)
os.set_inheritable(3, True)
os.environ["LISTEN_PID"] = str(os.getpid())
if not fault:
    os.execv(path, [path])
exec(fault)
sys.argv = [path]
runpy.run_path(path, run_name="__main__")
"""


def load_program():
    loader = importlib.machinery.SourceFileLoader("code_authenticator", str(PROGRAM))
    spec = importlib.util.spec_from_loader("code_authenticator", loader)
    module = importlib.util.module_from_spec(spec)
    with mock.patch.object(sys, "dont_write_bytecode", True):
        loader.exec_module(module)
    return module


program = load_program()


def tearDownModule():
    with contextlib.suppress(OSError):
        os.unlink(__cached__)
        os.rmdir(os.path.dirname(__cached__))


def code_for(secret, moment, steps=0):
    return program.code_at(secret, int(moment // 30) + steps)


def wrong_code(secret, moment):
    """A code of no step near `moment`, always the same for the same secret."""
    near = {code_for(secret, moment, steps) for steps in range(-3, 5)}
    choice = random.Random(6238)
    while (code := f"{choice.randrange(10**6):06}") in near:
        pass
    return code


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        self.state = self.scratch / "state"
        environment = mock.patch.dict(os.environ, {"STATE_DIRECTORY": str(self.state)})
        environment.start()
        self.addCleanup(environment.stop)

    def run_program(self, *arguments, typed=""):
        environment = {"PATH": os.environ["PATH"], "STATE_DIRECTORY": str(self.state)}
        return subprocess.run([PROGRAM, *arguments], input=typed, text=True, capture_output=True, env=environment)

    def enroll(self, user="ann"):
        """Enrols `user` with the real program; returns the secret that the app would get."""
        result = self.run_program("enroll", user, "--yes")
        self.assertEqual(result.returncode, 0, result.stderr)
        uri = next(line for line in result.stdout.splitlines() if line.startswith("otpauth://"))
        return base64.b32decode(urllib.parse.parse_qs(urllib.parse.urlsplit(uri).query)["secret"][0])


class Clocked(Case):
    """Judges in this process, at a time of the test's choice."""

    def setUp(self):
        super().setUp()
        self.moment = MOMENT
        clock = mock.patch.object(program, "now", lambda: self.moment)
        clock.start()
        self.addCleanup(clock.stop)
        self.secret = self.enroll()

    def judge(self, steps=0):
        return program.judge("ann", code_for(self.secret, self.moment, steps))

    def refusal(self, code):
        with self.assertRaises(program.Refusal) as caught:
            program.judge("ann", code)
        self.assertEqual(caught.exception.reply["error"], INTERFACE + "Unavailable")
        return caught.exception.reply["parameters"]["message"]


class Codes(Clocked):
    def test_codes_are_those_of_rfc_6238(self):
        vectors = {59: "94287082", 1111111109: "07081804", 1111111111: "14050471", 1234567890: "89005924",
                   2000000000: "69279037", 20000000000: "65353130"}
        for moment, digits in vectors.items():
            self.assertEqual(code_for(RFC_SECRET, moment), digits[2:], moment)

    def test_the_code_of_now_matches(self):
        self.assertIs(self.judge(), True)

    def test_a_clock_may_be_one_step_behind(self):
        self.assertIs(self.judge(-1), True)

    def test_a_clock_may_be_one_step_ahead(self):
        self.assertIs(self.judge(1), True)

    def test_a_code_two_steps_off_misses(self):
        self.assertIs(self.judge(-2), False)
        self.assertIs(self.judge(2), False)

    def test_a_code_is_accepted_once_only(self):
        self.assertIs(self.judge(), True)
        self.assertIs(self.judge(), False)
        self.moment += 15
        self.assertIs(self.judge(-1), False)

    def test_an_earlier_step_is_refused_after_a_later_one(self):
        self.assertIs(self.judge(1), True)
        self.assertIs(self.judge(1), False)
        self.assertIs(self.judge(0), False)
        self.assertIs(self.judge(-1), False)
        self.moment += 60
        self.assertIs(self.judge(0), True)

    def test_a_clock_that_is_set_back_opens_no_accepted_step(self):
        self.judge()
        self.moment -= 300
        self.assertIs(self.judge(), False)

    def test_blanks_are_ignored_and_all_else_that_is_not_six_digits_is_nothing(self):
        self.assertEqual(program.typed(" 123\t456 "), "123456")
        for answer in ("", "12345", "1234567", "12345a", "-12345", "+12345", "1234.5",
                       "\uff11\uff12\uff13\uff14\uff15\uff16",
                       "\u0661\u0662\u0663\u0664\u0665\u0666", "123456\0", "\ud800"):
            self.assertEqual(program.typed(answer), "", ascii(answer))

    def test_nothing_is_no_code(self):
        self.assertIs(program.judge("ann", ""), False)


class Pace(Clocked):
    def exhaust(self):
        for _ in range(5):
            self.assertIs(program.judge("ann", wrong_code(self.secret, self.moment)), False)
            self.moment += 1

    def test_a_sixth_code_within_30_seconds_is_not_judged_even_if_it_is_right(self):
        self.exhaust()
        self.assertEqual(self.refusal(code_for(self.secret, self.moment)), "Too many codes; wait 25 s.")

    def test_the_wait_that_is_named_is_enough(self):
        self.exhaust()
        self.moment += 25
        self.assertIs(self.judge(), True)

    def test_the_pace_is_that_of_one_account(self):
        self.exhaust()
        other = self.enroll("bob")
        self.assertIs(program.judge("bob", code_for(other, self.moment)), True)

    def test_neither_a_restart_nor_a_new_enrolment_resets_the_pace(self):
        self.exhaust()
        self.secret = self.enroll()
        fresh = load_program()
        with mock.patch.object(fresh, "now", lambda: self.moment), self.assertRaises(fresh.Refusal):
            fresh.judge("ann", code_for(self.secret, self.moment))

    def test_a_clock_that_was_far_ahead_locks_nobody_out_of_the_pace(self):
        self.moment += 86400
        self.exhaust()
        self.moment = MOMENT
        self.assertIs(self.judge(), True)


class Cancelled(Clocked):
    """An Arm whose peer has closed the connection while its own thread has not run since."""

    def setUp(self):
        super().setUp()
        sockets = [*socket.socketpair(), *socket.socketpair()]
        for each in sockets:
            self.addCleanup(each.close)
        connection, peer, self.reader, writer = sockets
        peer.close()
        arms = {connection: {"attempt": "00ff", "user": "ann", "writer": writer}}
        replaced = mock.patch.object(program, "arms", arms)
        replaced.start()
        self.addCleanup(replaced.stop)

    def test_it_takes_no_answer(self):
        with self.assertRaises(program.Refusal) as caught:
            program.answer(mock.Mock(), False, "00ff", code_for(self.secret, self.moment))
        self.assertEqual(caught.exception.reply["error"], INTERFACE + "NoSuchAttempt")

    def test_it_is_not_in_the_way_of_the_next(self):
        connection, peer = socket.socketpair()
        with connection, peer:
            self.assertIsNone(program.arm(connection, True, "ff00", "ann", 0))
            self.assertIn(b'"armed"', peer.recv(4096))


class Storing(Clocked):
    def test_the_accepted_step_is_on_the_disk_before_the_verdict(self):
        order = []
        for name in ("fsync", "replace"):
            original = getattr(os, name)
            spy = mock.patch.object(os, name, lambda *a, _name=name, _original=original, **k:
                                    (order.append(_name), _original(*a, **k))[1])
            spy.start()
            self.addCleanup(spy.stop)
        self.assertIs(self.judge(), True)
        self.assertEqual(order, ["fsync", "replace", "fsync"])
        self.assertEqual(json.loads((self.state / "ann.used").read_text())["last"], self.moment // 30)

    def test_a_code_that_cannot_be_stored_gets_no_verdict(self):
        for name in ("replace", "fsync"):
            with mock.patch.object(os, name, side_effect=OSError(28, "No space left")), self.assertRaises(OSError):
                self.judge()
        self.assertFalse((self.state / "ann.used").exists())
        self.assertIs(self.judge(), True)

    def test_what_cannot_be_read_is_not_taken_for_nothing(self):
        self.judge()
        for content in ('{"id":', "", "null", "[]", "{}", "0"):
            (self.state / "ann.used").write_text(content)
            with self.assertRaises((ValueError, TypeError, LookupError), msg=content):
                self.judge()

    def test_an_enrolment_of_before_does_not_hold_for_the_next(self):
        self.judge(1)
        old, self.secret = self.secret, self.enroll()
        self.assertIs(program.judge("ann", code_for(old, self.moment)), False)
        self.assertIs(self.judge(), True)


class Enrolling(Case):
    def mode(self, name):
        return oct((self.state / name).stat().st_mode & 0o7777)

    def test_what_is_kept_is_for_its_owner_alone(self):
        with mock.patch.object(program, "now", lambda: MOMENT):
            program.judge("ann", code_for(self.enroll(), MOMENT))
        self.assertEqual({name: self.mode(name) for name in ("", "ann.secret", "ann.used")},
                         {"": "0o700", "ann.secret": "0o600", "ann.used": "0o600"})
        self.assertEqual(sorted(os.listdir(self.state)), ["ann.secret", "ann.used"])

    def test_a_directory_that_is_too_open_is_closed(self):
        self.state.mkdir(mode=0o755)
        self.enroll()
        self.assertEqual(self.mode(""), "0o700")

    def test_a_secret_has_160_bits_and_is_never_the_same(self):
        secrets = {self.enroll() for _ in range(3)}
        self.assertEqual([len(secret) for secret in secrets], [20, 20, 20])

    def test_the_uri_names_the_issuer_and_the_account(self):
        uri = self.run_program("enroll", "ann b", "--issuer", "A&B: C", "--yes").stdout.splitlines()[0]
        self.assertTrue(uri.startswith("otpauth://totp/A%26B%3A%20C:ann%20b?secret="), uri)
        self.assertTrue(uri.endswith("&issuer=A%26B%3A%20C&algorithm=SHA1&digits=6&period=30"), uri)

    def confirm(self, code_of):
        """Enrols with the question; `code_of` makes the code out of the secret."""
        shown = io.StringIO()

        def readline():
            uri = shown.getvalue().splitlines()[0]
            secret = urllib.parse.parse_qs(urllib.parse.urlsplit(uri).query)["secret"][0]
            return code_of(base64.b32decode(secret)) + "\n"

        with (contextlib.redirect_stdout(shown), mock.patch.object(program, "now", lambda: MOMENT),
              mock.patch.object(sys, "stdin", types.SimpleNamespace(readline=readline))):
            program.enroll("ann", "LocalAuth", False)

    def test_the_right_code_confirms_and_is_used_up(self):
        self.confirm(lambda secret: code_for(secret, MOMENT))
        secret = base64.b32decode(json.loads((self.state / "ann.secret").read_text())["secret"])
        with mock.patch.object(program, "now", lambda: MOMENT):
            self.assertIs(program.judge("ann", code_for(secret, MOMENT)), False)
            self.assertIs(program.judge("ann", code_for(secret, MOMENT, 1)), True)

    def test_a_wrong_code_stores_nothing(self):
        with self.assertRaises(SystemExit):
            self.confirm(lambda secret: wrong_code(secret, MOMENT))
        self.assertFalse(self.state.exists())

    def test_no_answer_stores_nothing(self):
        self.assertEqual(self.run_program("enroll", "ann").returncode, 1)
        self.assertFalse(self.state.exists())

    def test_a_wrong_code_leaves_the_enrolment_of_before(self):
        self.enroll()
        before = (self.state / "ann.secret").read_bytes()
        self.assertEqual(self.run_program("enroll", "ann", typed="abcdef\n").returncode, 1)
        self.assertEqual((self.state / "ann.secret").read_bytes(), before)

    def test_removing_removes_the_secret(self):
        self.enroll()
        self.assertEqual(self.run_program("remove", "ann").returncode, 0)
        self.assertEqual(os.listdir(self.state), [])
        self.assertEqual(self.run_program("remove", "ann").returncode, 1)

    def test_an_account_is_one_name_of_a_file(self):
        for name in ("", ".", "..", "a/b", "/ann", "../ann", "a\0b", "a\nb", "\ud800", "a" * 201):
            self.assertFalse(program.is_account(name), ascii(name))
        for name in ("ann", "a.b", "ann-1", "DOMAIN\\ann", "\u00e5sa"):
            self.assertTrue(program.is_account(name), name)
        self.assertEqual(self.run_program("enroll", "../ann", "--yes").returncode, 2)
        self.assertFalse(self.state.exists())

    def test_the_qr_code_on_the_terminal_is_that_of_the_uri(self):
        choice = random.Random(160)
        dots = [[choice.randrange(2) for _ in range(9)] for _ in range(9)]
        made = []
        segno = types.SimpleNamespace(make_qr=lambda uri: made.append(uri) or types.SimpleNamespace(
            matrix_iter=lambda border: dots))
        shown = io.StringIO()
        with mock.patch.dict(sys.modules, {"segno": segno}), contextlib.redirect_stdout(shown):
            program.show("otpauth://totp/x")
        rows = []
        for line in shown.getvalue().splitlines():
            blocks = line.removeprefix("\033[30;107m").removesuffix("\033[0m")
            rows += [[int(b in "▀█") for b in blocks], [int(b in "▄█") for b in blocks]]
        self.assertEqual(rows[:9], dots)
        self.assertEqual(rows[9:], [[0] * 9])
        self.assertEqual(made, ["otpauth://totp/x"])

    def test_without_segno_one_line_says_how_to_get_it(self):
        shown = io.StringIO()
        with mock.patch.dict(sys.modules, {"segno": None}), contextlib.redirect_stdout(shown):
            program.show("otpauth://totp/x")
        self.assertEqual(shown.getvalue(), "pip install segno shows a QR code here.\n")


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.socket.settimeout(20)
        self.received = b""

    def send(self, data):
        self.socket.sendall(data)

    def next(self):
        """The next reply, or None when the program closed the connection."""
        while b"\0" not in self.received:
            try:
                part = self.socket.recv(65536)
            except ConnectionResetError:
                part = b""
            if not part:
                return None
            self.received += part
        frame, _, self.received = self.received.partition(b"\0")
        return json.loads(frame)

    def close(self):
        self.socket.close()


class Served(Case):
    """Talks to the real program over its listening socket."""

    def setUp(self):
        super().setUp()
        self.path = self.scratch / "socket"
        self.listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(self.listener.close)
        self.listener.bind(str(self.path))
        self.listener.listen(128)
        self.process = None
        self.addCleanup(self.stop)

    def start(self, fault=""):
        environment = {"PATH": os.environ["PATH"], "LISTEN_FDS": "1", "STATE_DIRECTORY": str(self.state)}
        descriptor = self.listener.fileno()
        self.process = subprocess.Popen([sys.executable, "-c", LAUNCHER, str(descriptor), str(PROGRAM), fault],
                                        env=environment, pass_fds=[descriptor], stderr=subprocess.PIPE, text=True)

    def stop(self):
        if self.process:
            self.process.kill()
            errors = self.process.communicate()[1]
            self.process = None
            self.assertEqual(errors, "")

    def connect(self):
        connection = Connection(self.path)
        self.addCleanup(connection.close)
        return connection

    def call(self, method, more=False, **parameters):
        connection = self.connect()
        name = method if "." in method else INTERFACE + method
        connection.send(json.dumps({"method": name, "parameters": parameters, "more": more}).encode() + b"\0")
        return connection

    def ask(self, method, **parameters):
        connection = self.call(method, **parameters)
        reply = connection.next()
        self.assertIsNone(connection.next())
        return reply

    def arm(self, attempt="00ff", user="ann", milliseconds=30000):
        return self.call("Arm", more=True, attempt=attempt, user=user, milliseconds=milliseconds)

    def armed(self, attempt="00ff", user="ann"):
        connection = self.arm(attempt, user)
        self.assertEqual(connection.next(), {"parameters": {"armed": True}, "continues": True})
        question = {"text": "Code:", "echoes": True}
        self.assertEqual(connection.next(), {"parameters": {"question": question}, "continues": True})
        return connection

    def attempt(self, code, attempt="00ff", user="ann"):
        connection = self.armed(attempt, user)
        self.assertEqual(self.ask("Answer", attempt=attempt, answer=code), {"parameters": {}})
        reply = connection.next()
        self.assertIsNone(connection.next())
        return reply

    def assertMatches(self, reply, attempt="00ff"):
        verdict = {"attempt": attempt, "match": True, "label": "Authenticator app"}
        self.assertEqual(reply, {"parameters": {"verdict": verdict}})

    def assertMisses(self, reply, attempt="00ff"):
        self.assertEqual(reply, {"parameters": {"verdict": {"attempt": attempt, "match": False}}})

    def assertUnavailable(self, reply, message):
        self.assertEqual(reply, {"error": INTERFACE + "Unavailable", "parameters": {"message": message}})

    def assertNoSuchAttempt(self, reply):
        self.assertEqual(reply, {"error": INTERFACE + "NoSuchAttempt", "parameters": {}})

    def assertServes(self):
        self.assertEqual(self.ask("Describe")["parameters"]["kind"], "code")


class Protocol(Served):
    def setUp(self):
        super().setUp()
        self.secret = self.enroll()
        self.start()

    def current(self):
        return code_for(self.secret, time.time())

    def wrong(self):
        return wrong_code(self.secret, time.time())

    def test_the_description_is_what_the_manifest_says(self):
        description = self.ask("Describe")["parameters"]
        manifest = json.loads((PROGRAM.parent / "totp.json").read_text())
        self.assertEqual({key: description[key] for key in ("kind", "asks")},
                         {key: manifest[key] for key in ("kind", "asks")})
        self.assertIs(description["simulated"], manifest.get("simulated", False))
        self.assertIs(description["reportsPresence"], manifest.get("presence", False))
        self.assertEqual(set(description), {"version", "kind", "asks", "reportsPresence", "simulated"})

    def test_the_right_code_matches(self):
        self.assertMatches(self.attempt(self.current()))

    def test_the_right_code_with_blanks_matches(self):
        code = self.current()
        self.assertMatches(self.attempt(f" {code[:3]} {code[3:]} "))

    def test_a_wrong_code_misses(self):
        self.assertMisses(self.attempt(self.wrong()))

    def test_what_is_no_code_misses(self):
        self.assertMisses(self.attempt(""))
        self.assertMisses(self.attempt(self.current() + "0"))

    def test_a_code_is_not_accepted_again_after_a_restart(self):
        code = self.current()
        self.assertMatches(self.attempt(code))
        self.assertMisses(self.attempt(code))
        self.stop()
        self.start()
        self.assertMisses(self.attempt(code))

    def test_the_pace_holds_over_the_socket_and_before_the_question(self):
        for _ in range(5):
            self.assertMisses(self.attempt(self.wrong()))
        reply = self.arm().next()
        self.assertEqual(reply["error"], INTERFACE + "Unavailable")
        self.assertRegex(reply["parameters"]["message"], r"^Too many codes; wait \d+ s\.$")

    def test_an_answer_after_the_attempt_was_cancelled_is_not_judged(self):
        self.armed().close()
        self.assertNoSuchAttempt(self.ask("Answer", attempt="00ff", answer=self.current()))
        self.assertFalse((self.state / "ann.used").exists())

    def test_an_attempt_that_was_cancelled_is_in_nobodys_way(self):
        for number in range(20):
            self.armed(f"{number:04}").close()
        self.assertMatches(self.attempt(self.current()))

    def test_an_answer_for_another_attempt_is_not_judged(self):
        connection = self.armed("00ff")
        self.assertNoSuchAttempt(self.ask("Answer", attempt="ff00", answer=self.current()))
        self.assertEqual(self.ask("Answer", attempt="00ff", answer=self.current()), {"parameters": {}})
        self.assertMatches(connection.next())

    def test_a_question_has_one_answer(self):
        self.assertMisses(self.attempt(self.wrong()))
        self.assertNoSuchAttempt(self.ask("Answer", attempt="00ff", answer=self.current()))

    def test_of_two_answers_at_once_one_counts(self):
        connection = self.armed()
        calls = [self.call("Answer", attempt="00ff", answer=self.wrong()) for _ in range(2)]
        errors = sorted(call.next().get("error", "") for call in calls)
        self.assertEqual(errors, ["", INTERFACE + "NoSuchAttempt"])
        self.assertMisses(connection.next())
        self.assertEqual(len(json.loads((self.state / "ann.used").read_text())["judged"]), 1)

    def test_one_attempt_of_an_account_is_judged_at_a_time(self):
        first = self.armed("00ff")
        self.assertUnavailable(self.arm("ff00").next(), "Another attempt is being judged.")
        self.ask("Answer", attempt="00ff", answer=self.current())
        self.assertMatches(first.next())

    def test_two_accounts_are_judged_at_the_same_time(self):
        other = self.enroll("bob")
        first, second = self.armed("00ff", "ann"), self.armed("ff00", "bob")
        self.ask("Answer", attempt="ff00", answer=code_for(other, time.time()))
        self.assertMatches(second.next(), "ff00")
        self.ask("Answer", attempt="00ff", answer=self.current())
        self.assertMatches(first.next(), "00ff")

    def test_a_name_of_an_attempt_is_that_of_one_attempt(self):
        self.enroll("bob")
        first = self.armed("00ff", "ann")
        self.assertUnavailable(self.arm("00ff", "bob").next(), "Another attempt is being judged.")
        self.ask("Answer", attempt="00ff", answer=self.current())
        self.assertMatches(first.next())

    def test_an_attempt_ends_without_a_verdict_after_its_milliseconds(self):
        connection = self.arm(milliseconds=1)
        self.assertEqual([connection.next() is None for _ in range(3)], [False, False, True])
        self.assertNoSuchAttempt(self.ask("Answer", attempt="00ff", answer=self.current()))

    def test_a_word_that_nobody_asked_for_ends_an_attempt(self):
        connection = self.armed()
        connection.send(b"{}\0")
        self.assertIsNone(connection.next())

    def test_an_attempt_without_more_is_refused(self):
        reply = self.ask("Arm", attempt="00ff", user="ann", milliseconds=30000)
        self.assertEqual(reply, {"error": "org.varlink.service.ExpectedMore", "parameters": {}})

    def test_nothing_is_asked_of_an_account_that_enrolled_nothing(self):
        self.assertEqual(self.ask("Enrolled", user="bob")["parameters"]["labels"], [])
        self.assertUnavailable(self.arm(user="bob").next(), "No code is enrolled for this account.")

    def test_the_token_changes_with_the_secret_and_reveals_nothing(self):
        first = self.ask("Enrolled", user="ann")["parameters"]
        self.assertEqual(self.ask("Enrolled", user="ann")["parameters"], first)
        kept = json.loads((self.state / "ann.secret").read_text())
        self.assertEqual(first["labels"], ["Authenticator app"])
        self.assertEqual(first["setToken"], hashlib.sha256(kept["id"].encode()).hexdigest())
        self.assertNotIn(kept["id"], first["setToken"])
        self.enroll()
        second = self.ask("Enrolled", user="ann")["parameters"]
        self.assertNotEqual(second["setToken"], first["setToken"])
        self.run_program("remove", "ann")
        third = self.ask("Enrolled", user="ann")["parameters"]
        self.assertNotIn(third["setToken"], (first["setToken"], second["setToken"]))

    def test_a_file_that_cannot_be_read_makes_the_account_unavailable(self):
        message = "What is kept for this account cannot be read or written."
        (self.state / "ann.used").write_text("[]")
        self.assertUnavailable(self.arm().next(), message)
        (self.state / "ann.secret").write_text("{")
        self.assertUnavailable(self.ask("Enrolled", user="ann"), message)

    def test_watch_reports_each_change_of_what_is_enrolled_and_stays_open(self):
        available = {"parameters": {"state": "available"}, "continues": True}
        watch = self.call("Watch", more=True)
        self.assertEqual(watch.next(), available)
        self.enroll("bob")
        self.assertEqual(watch.next(), available)
        self.run_program("remove", "bob")
        self.assertEqual(watch.next(), available)
        self.enroll("ann")
        self.assertEqual(watch.next(), available)

    def test_watch_does_not_take_judging_for_a_change(self):
        before = program.enrolments()
        self.assertMatches(self.attempt(self.current()))
        self.assertEqual(program.enrolments(), before)

    def test_watch_without_more_is_one_reply(self):
        self.assertEqual(self.ask("Watch"), {"parameters": {"state": "available"}})

    def test_an_unknown_method_is_named_in_the_error(self):
        for method in (INTERFACE + "Judge", "Arm.Arm", "org.varlink.service.GetInfo", INTERFACE + "describe", "."):
            reply = self.ask(method)
            self.assertEqual(reply, {"error": "org.varlink.service.MethodNotFound", "parameters": {"method": method}})

    def test_an_account_with_a_slash_is_an_invalid_parameter(self):
        (self.scratch / "evil.secret").write_bytes((self.state / "ann.secret").read_bytes())
        for user in ("../evil", "a/b", "", ".", "..", "a\0b", "\ud800"):
            for reply in (self.ask("Enrolled", user=user), self.arm(user=user).next()):
                self.assertEqual(reply, {"error": "org.varlink.service.InvalidParameter",
                                         "parameters": {"parameter": "user"}})

    def test_a_parameter_of_another_type_is_named_in_the_error(self):
        right = {"attempt": "00ff", "user": "ann", "milliseconds": 30000}
        for key, value in (("attempt", 1), ("user", ["ann"]), ("user", None), ("milliseconds", True),
                           ("milliseconds", "1"), ("milliseconds", 1.5), ("milliseconds", -1)):
            reply = self.call("Arm", more=True, **{**right, key: value}).next()
            self.assertEqual(reply, {"error": "org.varlink.service.InvalidParameter", "parameters": {"parameter": key}})

    def test_a_missing_parameter_is_named_in_the_error(self):
        self.assertEqual(self.ask("Enrolled"), {"error": "org.varlink.service.InvalidParameter",
                                                "parameters": {"parameter": "user"}})

    def test_a_frame_of_10_megabytes_closes_its_connection_only(self):
        watch = self.call("Watch", more=True)
        self.assertIsNotNone(watch.next())
        connection = self.connect()
        with self.assertRaises((BrokenPipeError, ConnectionResetError)):
            connection.send(b"x" * 10_000_000)
        self.assertIsNone(connection.next())
        self.enroll("bob")
        self.assertIsNotNone(watch.next())

    def test_a_frame_of_16_kibibytes_is_the_longest(self):
        call = json.dumps({"method": INTERFACE + "Describe"}).encode()
        for length, answered in ((16384, True), (16385, False)):
            connection = self.connect()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.send(call.ljust(length) + b"\0")
            self.assertEqual(connection.next() is not None, answered)

    def test_what_is_no_call_closes_its_connection_only(self):
        for garbage in (b"\0", b"{\0", b"[]\0", b"null\0", b"{}\0", b'{"method":1}\0', b"\xff\xfe\0",
                        b"[" * 16000 + b"\0",
                        b'{"method":"x","parameters":' + b"9" * 5000 + b"}\0",
                        b'{"method":"%sEnrolled","parameters":[1]}\0' % INTERFACE.encode()):
            connection = self.connect()
            connection.send(garbage)
            self.assertIsNone(connection.next(), garbage[:40])
        self.assertServes()

    def test_a_connection_that_says_nothing_stops_no_other(self):
        silent, half = self.connect(), self.connect()
        half.send(b'{"method":')
        self.assertServes()

    def test_a_peer_that_leaves_before_the_reply_kills_nothing(self):
        for _ in range(20):
            self.call("Describe").close()
            self.arm(user="bob").close()
        self.assertServes()
        self.assertIsNone(self.process.poll())


class Faults(Served):
    def setUp(self):
        super().setUp()
        self.secret = self.enroll()

    def test_a_crash_while_storing_gives_no_verdict_and_uses_no_code_up(self):
        self.start("os.replace = lambda *a, **k: os._exit(9)")
        code = code_for(self.secret, time.time())
        self.assertIsNone(self.attempt(code))
        self.assertEqual(self.process.wait(), 9)
        self.stop()
        self.start()
        self.assertMatches(self.attempt(code))

    def test_a_disk_that_is_full_makes_the_account_unavailable(self):
        self.start("def full(*a, **k): raise OSError(28, 'No space left')\nos.replace = full")
        reply = self.attempt(code_for(self.secret, time.time()))
        self.assertUnavailable(reply, "What is kept for this account cannot be read or written.")
        self.assertServes()

    def test_a_crash_after_storing_uses_the_code_up(self):
        self.start("real = os.replace\ndef crash(*a, **k):\n    real(*a, **k)\n    os._exit(9)\nos.replace = crash")
        code = code_for(self.secret, time.time())
        self.assertIsNone(self.attempt(code))
        self.process.wait()
        self.stop()
        self.start()
        self.assertMisses(self.attempt(code))


class Starting(Case):
    def start(self, **environment):
        environment["PATH"] = os.environ["PATH"]
        return subprocess.run([PROGRAM], env=environment, capture_output=True, text=True)

    def test_without_a_socket_it_says_so_and_ends(self):
        result = self.start()
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_a_socket_that_is_meant_for_another_process_is_not_taken(self):
        result = self.start(LISTEN_FDS="1", LISTEN_PID="1")
        self.assertEqual((result.returncode, result.stderr), (1, self.start().stderr))

    def test_the_program_and_its_files_are_as_the_manual_page_says(self):
        self.assertEqual(oct(PROGRAM.stat().st_mode & 0o777), "0o755")
        for name in ("totp", "passcode-and-code"):
            content = json.loads((PROGRAM.parent / f"{name}.json").read_text())
            self.assertEqual(content["name"], name)
            self.assertLessEqual(len(content["summary"]), 200)


if __name__ == "__main__":
    unittest.main()
