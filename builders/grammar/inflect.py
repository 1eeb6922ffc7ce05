"""English verb forms that undoing do-support and agreeing with an answer need."""

import re

_IRREGULAR_PAST = """
arise:arose awake:awoke bear:bore beat:beat become:became befall:befell begin:began bend:bent bet:bet bid:bid
bind:bound bite:bit bleed:bled blow:blew break:broke breed:bred bring:brought broadcast:broadcast build:built
burst:burst buy:bought cast:cast catch:caught choose:chose cling:clung come:came cost:cost creep:crept cut:cut
deal:dealt dig:dug do:did draw:drew drink:drank drive:drove eat:ate fall:fell feed:fed feel:felt fight:fought
find:found flee:fled fling:flung fly:flew forbid:forbade forecast:forecast foresee:foresaw forget:forgot
forgive:forgave forsake:forsook freeze:froze get:got give:gave go:went grind:ground grow:grew hang:hung have:had
hear:heard hide:hid hit:hit hold:held hurt:hurt keep:kept kneel:knelt know:knew lay:laid lead:led leave:left lend:lent
let:let lie:lay light:lit lose:lost make:made mean:meant meet:met mislead:misled mistake:mistook outgrow:outgrew
overcome:overcame overrun:overran oversee:oversaw overtake:overtook overthrow:overthrew overwrite:overwrote
partake:partook pay:paid put:put quit:quit read:read rebuild:rebuilt redo:redid remake:remade reset:reset
retake:retook rewrite:rewrote rid:rid ride:rode ring:rang rise:rose run:ran say:said see:saw seek:sought sell:sold
send:sent set:set shake:shook shed:shed shine:shone shoot:shot show:showed shrink:shrank shut:shut sing:sang sink:sank
sit:sat sling:slung slay:slew sleep:slept slide:slid speak:spoke spend:spent spin:spun split:split spread:spread
spring:sprang stand:stood steal:stole stick:stuck sting:stung stride:strode strike:struck string:strung swear:swore
sweep:swept swell:swelled swim:swam swing:swung take:took teach:taught tear:tore tell:told think:thought throw:threw
thrust:thrust undergo:underwent understand:understood undertake:undertook undo:undid uphold:upheld upset:upset
wake:woke wear:wore weave:wove weep:wept win:won wind:wound withdraw:withdrew withhold:withheld withstand:withstood
write:wrote
"""
_PAST = dict(pair.split(":") for pair in _IRREGULAR_PAST.split())
_REGULAR = """
accept achieve adapt add adopt affect air allow announce appear apply arrive ask attack attain attend become belong
call carry change close coach collapse command commence commit compete compose conduct conquer contain control convert
convince create cross declare defeat deliver depend describe destroy develop die direct discover discuss divide
dominate donate draft earn edit elect end enter establish evolve exist expand expire explore export face feature film
finish fire flow focus follow form fund gain generate govern graduate happen help hire honor host hunt identify imply
import include increase inhabit inherit injure inspire introduce invade invent issue join kick kidnap kill kiss lack
land last launch link live locate look love manage manufacture marry measure mention merge migrate move murder name
narrate need nominate obtain occupy occur open operate originate outlaw own paint pass perform permit play please
portray practice prefer premier premiere prevent print produce promise promote propose protect protest publish
purchase raise rank reach receive record refer regulate reject release relocate remain remove replace report represent
rescue reside restore resume retire return reveal review revolve rule score secrete separate serve settle share sign
sound speak specialize spell sponsor star start stay stop store study succeed suffer suggest supply support surrender
surround survive switch symbolize tour train transfer travel treat trust try turn unite upgrade use visit vote want
warn wish witness work worship
"""
VERBS = frozenset(_REGULAR.split()) | frozenset(_PAST)
# "found", "ground" ... are base forms of their own and take the regular past.
_PAST_FORMS = frozenset(_PAST.values()) - {"found", "ground", "bound", "wound"}
# Stress on the last syllable doubles the consonant; spelling alone does not show the stress, so these are listed.
_DOUBLING = frozenset(
    "abet abhor acquit admit allot annul ban beget commit compel concur confer control defer deter dispel emit "
    "enrol equip excel expel extol impel incur infer kidnap occur omit outbid patrol permit prefer program propel "
    "rebel rebut recur refer regret remit repel rerun submit transfer transmit transship worship".split()
)
_ONE_SYLLABLE = re.compile(r"[^aeiou]*(?:qu)?[aeiou][bdfgklmnprtvz]")
_BE_HAVE = {"are": "is", "were": "was", "have": "has", "do": "does", "go": "goes", "'re": "is"}

_PLURAL = {"is": "are", "'s": "are", "was": "were", "has": "have", "does": "do"}
_PLURAL |= {
    verb + "s": verb for verb in ("die", "lie", "tie", "vie", "ache", "use", "cause", "house", "excuse", "accuse")
}


def past(verb: str) -> str:
    """Past tense of a base form ("sink" gives "sank"); a form that already is an irregular past stays."""
    if verb in _PAST:
        return _PAST[verb]
    if verb in _PAST_FORMS or (verb.endswith("ed") and not re.search(r"eed$|^(?:wed|embed|shred|sled)$", verb)):
        return verb
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    if verb in _DOUBLING or _ONE_SYLLABLE.fullmatch(verb):
        return verb + verb[-1] + "ed"
    return verb + ("ked" if verb.endswith("ic") else "ed")


def third_person(verb: str) -> str:
    """Third person singular of a base or plural form ("carry" gives "carries", "are" gives "is")."""
    if verb in _BE_HAVE:
        return _BE_HAVE[verb]
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(s|sh|ch|x|z|o)$", verb) else "s")


def plural_form(verb: str) -> str:
    """Plural present or past of a third person singular ("carries" gives "carry", "was" gives "were")."""
    if verb in _PLURAL:
        return _PLURAL[verb]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if re.search(r"(ss|sh|ch|x|zz|[^t]o|us)es$", verb):
        return verb[:-2]
    return verb.removesuffix("s")
