"""``kgstore completion``"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands in a shell.

    \b
    Example:
        kgstore completion bash > ~/.local/share/bash-completion/completions/kgstore
        kgstore completion zsh > ~/.zfunc/_kgstore
        kgstore completion fish > ~/.config/fish/completions/kgstore.fish
    """
    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(ctx.find_root().command, {}, "kgstore", "_KGSTORE_COMPLETE").source())
