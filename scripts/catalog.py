"""What the program says it has, for the scripts that go through all of it."""
import json
import subprocess


def policies(program):
    """The names of the policies that decide for themselves, in the catalog's order."""
    catalog = json.loads(subprocess.run([program, "catalog"], capture_output=True, text=True, check=True).stdout)
    return [policy["id"] for policy in catalog["policies"] if "as-it-stands" not in policy["traits"]]
