"""Bitwuzla as a process that speaks SMT-LIB on its standard input and output.

The package on PyPI is a module without a program; its parser reads and answers commands one by one.
"""

import sys

import bitwuzla


def main():
    if "--version" in sys.argv[1:]:
        print(bitwuzla.version())
        return 0
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    options.set(bitwuzla.Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    try:
        # To the parser this name is no file but the standard input.
        parser.parse("<stdin>", False, True)
    except bitwuzla.BitwuzlaException as problem:
        text = str(problem).replace('"', '""')
        print(f'(error "{text}")', flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
