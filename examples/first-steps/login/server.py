"""A small login server over HTTP, as somebody wrote it. `python3 server.py PORT` serves on this machine only."""
import http.server
import sys

PASSWORD = "rosebud"


class Account:
    def __init__(self):
        self.tries = 0
        self.inside = False

    def login(self, password):
        if self.tries > 3:
            return "locked"
        if password != PASSWORD:
            self.tries += 1
            return "locked" if self.tries > 3 else "wrong"
        self.tries = 0
        self.inside = True
        return "welcome"

    def logout(self):
        self.inside = False

    def unlock(self):
        self.tries = 0


class Handler(http.server.BaseHTTPRequestHandler):
    account = Account()

    def do_POST(self):
        words = self.path.strip("/").split("/")
        status, said = 200, ""
        if words[0] == "login" and len(words) == 2 and not self.account.inside:
            said = self.account.login(words[1])
        elif words[0] == "logout" and self.account.inside:
            self.account.logout()
        elif words[0] == "unlock" and self.account.tries >= 3:
            self.account.unlock()
        elif words[0] == "reset":
            Handler.account = Account()
        else:
            status = 409
        self.send_response(status)
        self.end_headers()
        self.wfile.write(said.encode())

    def log_message(self, *_):
        pass


def serve(port=0):
    return http.server.HTTPServer(("127.0.0.1", port), Handler)


if __name__ == "__main__":
    serve(int(sys.argv[1])).serve_forever()
