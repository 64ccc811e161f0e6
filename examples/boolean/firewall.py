#!/usr/bin/env python3
"""A firewall to be tested, with its adapter: reads tests from standard input, one a line, and answers each.

    specimen generate firewall.bool --out suite
    specimen test suite/suite.json --against 'python3 firewall.py'

With --forget-entry-points the rule for `checkcast` lacks entry points, as a hurried programmer may have written it.
"""
import json
import sys

FORGETFUL = "--forget-entry-points" in sys.argv[1:]


def is_allowed(bytecode, owner, context, flags):
    jcre, own = context == 0, owner == context
    entry, array = flags["FLAG_entryPointJCREObject"], flags["FLAG_global"]
    shared = flags["FLAG_shareableInterfaceObject"] and flags["exShareable"]
    temporary = flags["FLAG_Val_entryPointJCREObject"] and flags["FLAG_Val_temporaryJCREObject"]
    storable = not flags["fieldReferenceType"] or not temporary and not flags["FLAG_Val_global"]
    if bytecode == "getstatic":
        return True
    if bytecode == "putstatic":
        return jcre or storable
    if bytecode in ("aload", "arraylength"):
        return jcre or own or array
    if bytecode == "astore":
        return jcre or storable and (own or array)
    if bytecode == "checkcast" and FORGETFUL:
        return jcre or own or array or shared
    if bytecode in ("checkcast", "instanceof"):
        return jcre or own or array or entry or shared
    if bytecode == "getfield":
        return jcre or own
    if bytecode == "putfield":
        return jcre or storable and own
    if bytecode == "invokevirtual":
        return jcre or own or entry or array
    if bytecode == "invokeinterface":
        return jcre or own or entry or shared
    if bytecode == "athrow":
        return jcre or own or entry
    return False


for line in sys.stdin:
    inputs = json.loads(line)["inputs"]
    bytecode, owner = inputs.pop("bytecode"), inputs.pop("Owner")
    context = inputs.pop("FLAG_CurrentlyActiveContext")
    if owner < 0 or context < 0:
        print("invalid contexts are numbers from 0", flush=True)
    else:
        print(json.dumps(is_allowed(bytecode, owner, context, inputs)), flush=True)
