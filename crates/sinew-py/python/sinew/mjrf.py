"""Names of MuJoCo's renderer on Filament. Sinew draws without it, so that their use is an error."""

from sinew import _enums, _names
from sinew._later.fields import refuse, refusing


class _Refusing:
    """A class of this renderer."""

    def __new__(cls, *args, **kwargs):
        raise refuse(f"mjrf.{cls.__name__}", cls._since, "renderer on Filament")


def _build():
    """Classes, enumerations and functions, from the table of names."""
    made, values, members = {}, {}, []
    for line in _names.others():
        if not line.name.startswith("mjrf."):
            continue
        owner, _, member = line.name.removeprefix("mjrf.").rpartition(".")
        if line.how.startswith("= "):
            values.setdefault(owner, []).append((member, int(line.how[2:])))
        else:
            members.append((owner, member, line))
    # a name with members is a class
    owners = {owner for owner, _, _ in members} | {name for name in values}
    for owner, member, line in members:
        if not owner and member in values:
            made[member] = type(_enums.MjEnum)(
                member, (_enums.MjEnum,), {"__slots__": ()}, values=values[member]
            )
        elif not owner and (member in owners or member[0].isupper()):
            made[member] = type(
                member, (_Refusing,), {"_since": line.since, "__doc__": _Refusing.__doc__}
            )
        elif not owner:
            made[member] = refusing(line)
    for owner, member, line in members:
        if owner in made and "." not in owner:
            setattr(made[owner], member, property(refusing(line)))
    return made


globals().update(_build())
