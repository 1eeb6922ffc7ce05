"""Real files read whole: their counts, and their first, middle and last records as they stand in the raw text."""

import pytest

from builders.sources.openqa import read_questions
from loaders.errors import InputError
from loaders.records import Document, Question

TRIVIA = ("Sunset Blvd", "West Sunset Boulevard", "Sunset Boulevard", "Sunset Bulevard", "Sunset Blvd.")
HORSESHOES = (
    "In what outdoor sport, sanctioned by the NHPA, do you score 3 points for a ringer, 2 for a leaner, and the closet "
    "scores a point?"
)

# file, source, questions, documents, answers; then id, question and number of answers of the first, middle and last
GOLDEN = [
    (
        "nq/NQ-open.dev.jsonl.gz",
        "nq",
        3610,
        0,
        6490,
        ("nq-3e56e1dd13e2", "when was the last time anyone was on the moon", 2),
        ("nq-883581708382", "what is dj's boyfriends name on full house", 4),
        ("nq-5a985be17abb", "what is the meaning of the name comanche", 1),
    ),
    (
        "nq/topics.dpr.nq.test.txt.gz",
        "nq",
        3610,
        0,
        6468,
        ("nq-b87e401449f3", "who got the first nobel prize in physics", 1),
        ("nq-a02b5e8d41b4", "who is the lead singer of depeche mode", 1),
        ("nq-71726b4ab6d7", "when did computer become widespread in homes and schools", 1),
    ),
    (
        "nq/nq-open-oracle_sample.jsonl.gz",
        "nq",
        700,
        700,
        1229,
        ("nq-b87e401449f3", "who got the first nobel prize in physics", 1),
        ("nq-bb0b31fb7ff3", "what happened to the actor who played frost on rizzoli and isles", 2),
        ("nq-97d829bdf52c", "where did the battle of issus take place", 2),
    ),
    (
        "nq/nq_top5.jsonl.gz",
        "nq",
        218,
        1090,
        459,
        ("psi-nq-4", "how many hoops are used in a game of croquet", 2),
        ("psi-nq-491", "the most stable mineral at the earth's surface", 2),
        ("psi-nq-994", "where are the spanish steps located in italy", 1),
    ),
    (
        "nq/nq_top3.jsonl.gz",
        "nq",
        600,
        1793,
        1035,
        ("nq-test_3283", "who told the story of the prodigal son", 1),
        ("nq-test_1247", "who played bat masterson in the tv series", 1),
        ("nq-test_376", "where was the hindenburg scheduled to fly and how many passengers were on it", 1),
    ),
    (
        "triviaqa/topics.dpr.trivia.test.txt.gz",
        "tqa",
        11313,
        0,
        158681,
        ("tqa-d4dc14eb98a9", "Who was the man behind The Chipmunks?", 1),
        ("tqa-5c3032511b6f", "What religious text was recently adapted into a hit Broadway musical?", 18),
        ("tqa-15661fd7d562", HORSESHOES, 7),
    ),
    (
        "triviaqa/triviaqa_top3.jsonl.gz",
        "tqa",
        606,
        1810,
        8083,
        (
            "triviaqa-test_6233",
            '"Who wrote ""A cauliflower is nothing but a cabbage with a college education""?"',
            22,
        ),
        (
            "triviaqa-test_6138",
            "The name of which martial art comes from Korean words meaning 'kick fist method'?",
            65,
        ),
        ("triviaqa-test_2025", "What is the official march of the Royal Navy?", 2),
    ),
    (
        "webquestions/topics.dpr.wq.test.jsonl.gz",
        "webq",
        2032,
        0,
        4863,
        ("webq-a49981e2da56", "what does jamaican people speak?", 2),
        ("webq-ed839aaa9ec7", "what is michael kors best known for?", 1),
        ("webq-104c748cea22", "when was father chris riley born?", 1),
    ),
    (
        "webquestions/main_test.json.gz",
        "webq",
        2032,
        0,
        4863,
        ("wqs000000", "what does jamaican people speak?", 2),
        ("wqs001016", "what is michael kors best known for?", 1),
        ("wqs002031", "when was father chris riley born?", 1),
    ),
    (
        "webquestions/webq_bm25_top10.jsonl.gz",
        "webq",
        300,
        2988,
        684,
        ("wqs000101", "what are the names of the city states in ancient greece?", 1),
        ("wqs000227", "where were the seneca indians located?", 1),
        ("wqs000292", "who did queen elizabeth 1 executed?", 1),
    ),
    (
        "popqa/popqa_base.jsonl.gz",
        "popqa",
        14267,
        0,
        54522,
        ("4222362", "What is George Rankin's occupation?", 5),
        ("1345219", "Who was the director of Pump?", 3),
        ("802449", "What is the capital of Louisiana?", 4),
    ),
    (
        "popqa/popqa_top3.jsonl.gz",
        "popqa",
        417,
        1238,
        1670,
        ("popqa-test_8203", "Who was the screenwriter for Shore Leave?", 4),
        ("popqa-test_2514", "What genre is Brain?", 10),
        ("popqa-test_11782", "What sport does reserve team play?", 3),
    ),
    (
        "popqa/popqa_top5.jsonl.gz",
        "popqa",
        613,
        3065,
        2698,
        ("1", "What is John Mayne's occupation?", 3),
        ("502", "In what city was Jack Kachkar born?", 3),
        ("998", "In what city was Joanna Elisabeth of Holstein-Gottorp born?", 1),
    ),
    (
        "popqa/popqa_longtail_w_gs_sample.jsonl.gz",
        "popqa",
        64,
        1536,
        267,
        ("4382392", "What is Henry Feilden's occupation?", 5),
        ("3685425", "What is Charles Combe's occupation?", 6),
        ("1046764", "What is T. P. Poonatchi's occupation?", 5),
    ),
    (
        "retrievalqa/retrievalqa_gpt4_sample.jsonl.gz",
        "tqa",
        153,
        2064,
        485,
        (
            "realtimeqa_20231013_1",
            "What percentage of couples are 'sleep divorced', according to new research?",
            1,
        ),
        (
            "toolqa_easy-agenda-0031",
            "Who attended Horse race between 2:00 PM and 5:00 PM on 2022/08/14 in Santa Anita Park?",
            1,
        ),
        ("triviaqa_qw_14805", "When did Maori arrive in New Zealand?", 2),
    ),
    (
        "ramdocs/RAMDocs_test_sample.jsonl.gz",
        "nq",
        300,
        1383,
        500,
        ("nq-3a6ae4dd9b7f", "What is the population of Broken Bow?", 1),
        ("nq-25ffedc6c2a2", "Who is the creator of Real World?", 2),
        ("nq-c89346dbbe91", "What is the profession of Ian Murray?", 2),
    ),
]


@pytest.mark.parametrize("golden", GOLDEN, ids=[entry[0] for entry in GOLDEN])
def test_counts_and_records_of_real_files(golden, shared_data) -> None:
    file, source, count, documents, answers, *records = golden
    questions = list(read_questions(shared_data(file), source, source))
    assert len(questions) == count
    assert sum(len(question.documents) for question in questions) == documents
    assert sum(len(question.answers) for question in questions) == answers
    picked = (questions[0], questions[count // 2], questions[-1])
    assert [(question.id, question.question, len(question.answers)) for question in picked] == records


def test_a_whole_record_with_documents(shared_data) -> None:
    first = next(read_questions(shared_data("popqa/popqa_longtail_w_gs_sample.jsonl.gz"), "popqa", "popqa"))
    assert first.answers == ("politician", "political leader", "political figure", "polit.", "pol")
    assert (first.relation, first.subject) == ("occupation", "Henry Feilden (Conservative politician)")
    assert first.documents[0] == Document(
        "11341299",
        "Henry Feilden (Conservative politician)",
        "Henry Master Feilden (21 February 1818 – 5 September 1875) was an English Conservative Party politician.",
        1.6985543,
        rank=1,
    )
    # the fourth and fifth web page have no text
    assert [document.rank for document in first.documents] == [1, 2, 3, 4, 5, 6, 7, 8, *range(11, 26)]


def test_popqas_gold_paragraphs_are_not_its_retrieved_documents(shared_data) -> None:
    first = next(read_questions(shared_data("popqa/popqa_top5.jsonl.gz"), "popqa", "popqa"))
    assert first.answers == ("journalist", "journo", "journalists")
    assert [(d.rank, d.title) for d in first.documents[:2]] == [(1, "John Mayne"), (2, "John D. Mayne -")]
    assert len(first.documents) == 5


def test_trivias_raw_form(shared_data) -> None:
    text = "Which Lloyd Webber musical premiered in the US on 10th December 1993?"
    assert list(read_questions(shared_data("triviaqa/triviaqa_sample.json"), "tqa", "tqa")) == [
        Question("tc_33", "tc_33", text, TRIVIA)
    ]


def test_quotes_in_dprs_triviaqa(shared_data) -> None:
    rows = list(read_questions(shared_data("triviaqa/topics.dpr.trivia.test.txt.gz"), "tqa", "tqa"))
    assert rows[4318].question == (
        "What was the first pop video directed by John Landis, whose directing credits include "
        '"National Lampoon\'s Animal House" and "The Blues Brothers"?'
    )
    assert rows[4511].question == "What was the first book to be printed in England, in 1477?"
    assert rows[4511].answers == ('"""Dictes or Sayenges of Phylosophers"""',)
    assert rows[4725].answers == ('"""The Cider House Rules"" & ""Hannah and Her Sisters"""',)
    assert rows[8857].question == 'What is the literal meaning of the French expression "Son et Lumiere"?'
    assert not [row.question for row in rows if '""' in row.question]


def test_dprs_nq_cells_that_only_look_like_json(shared_data) -> None:
    rows = list(read_questions(shared_data("nq/topics.dpr.nq.test.txt.gz"), "nq", "nq"))
    quoted = [row.answers for row in rows if any("'" in answer for answer in row.answers)]
    assert len(quoted) == 77
    assert not [answer for row in rows for answer in row.answers if answer.startswith(("[", "'", '"'))]


def test_repeated_questions_of_popqa_have_ids_of_their_own(shared_data) -> None:
    rows = list(read_questions(shared_data("popqa/popqa_base.jsonl.gz"), "popqa", "popqa"))
    assert len({row.id for row in rows}) == 14267
    assert 14267 - len({row.question for row in rows}) == 1199


def test_both_webquestions_files_differ_in_the_quotes_of_five_answers_only(shared_data) -> None:
    files = ("webquestions/topics.dpr.wq.test.jsonl.gz", "webquestions/main_test.json.gz")
    lines, listed = (list(read_questions(shared_data(file), "webq", "webq")) for file in files)
    assert [row.question for row in lines] == [row.question for row in listed]
    pairs = enumerate(zip(lines, listed, strict=True), 1)
    differing = [number for number, (one, other) in pairs if one.answers != other.answers]
    assert differing == [492, 782, 942, 979, 1101]
    assert (lines[941].answers[1], listed[941].answers[1]) == (
        "Temperance Tempie Fitzgerald",
        '"Temperance "Tempie" Fitzgerald"',
    )


@pytest.mark.parametrize(
    ("file", "row", "expected"),
    [
        ("clapnq/clapnq_dev_answerable_sample.jsonl.gz", 1, "columns found: id, input, passages, output"),
        ("predictions/evouna/TQ.json.gz", 1, "expected the answers in one of the columns"),
        ("hotpotqa/hotpot_dev_distractor_sample.json.gz", 1, "expected document 1 as a string or an object"),
        ("musique/musique_ans_dev_sample.jsonl.gz", 1, "expected document 1 as a string or an object with text"),
        ("wiki_passages/psgs_sample.tsv.gz", 1, "found 3: id, text, title"),
    ],
)
def test_files_of_another_kind_are_refused(file: str, row: int, expected: str, shared_data) -> None:
    with pytest.raises(InputError) as caught:
        list(read_questions(shared_data(file), "nq", "nq"))
    assert caught.value.row == row
    assert expected in caught.value.expected
