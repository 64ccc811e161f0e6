"""What stands between `specimen test` and the server: it reads one request a line and answers each with a line of JSON."""
import http.client
import json
import sys
import threading

import server

PATHS = {"good": "/login/rosebud", "bad": "/login/guess", "logout": "/logout", "unlock": "/unlock"}


class Adapter:
    def __init__(self):
        served = server.serve()
        threading.Thread(target=served.serve_forever, daemon=True).start()
        self.address = served.server_address
        self.said = None

    def post(self, path):
        connection = http.client.HTTPConnection(*self.address, timeout=5)
        connection.request("POST", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def reset(self, request):
        self.said = None
        return self.post("/reset")[0] == 200

    def give(self, request):
        status, said = self.post(PATHS[request["input"]])
        self.said = said or None
        return status == 200

    def watch(self, request):
        said, self.said = self.said, None
        return said

    def state(self, request):
        return None


adapter = Adapter()
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(getattr(adapter, request["do"])(request)), flush=True)
