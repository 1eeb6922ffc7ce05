"""GenADV's models, a writer of decoys and a checker of what was written, and the prompts that they are asked."""

from pathlib import Path

from builders.voices import Voices as AnyVoices
from builders.voices import prompt_hashes

PROMPTS = Path(__file__).parent / "prompts"
WRITING_PROMPTS = ("answer_sentence", "adversarial_sentence", "adversarial_passage")
CHECKING_PROMPTS = ("checker_infers_answer", "checker_contradicts_answer")


class Voices(AnyVoices):
    """Who writes and who checks, with their prompts."""

    def prompt_hashes(self) -> dict[str, str]:
        """Return the sha256 of every prompt that is asked."""
        names = (*(WRITING_PROMPTS if self.writer else ()), *(CHECKING_PROMPTS if self.checker else ()))
        return prompt_hashes(PROMPTS, names)


def prompt_path(name: str) -> Path:
    """Return the file of a prompt."""
    return PROMPTS / f"{name}.txt"
