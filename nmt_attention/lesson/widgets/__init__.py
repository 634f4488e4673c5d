"""Small machines that a lesson shows below a cell, for readers to change numbers and see what follows.

They work in notebooks and on the site, without a network. Where scripts do not run, as at GitHub, the same numbers
stand still in a table.
"""

from .attention import attention_widget
from .beam import beam_widget
from .bugs import bugs_widget
from .predict import predict_widget
from .push import push_widget
from .steps import step_player
from .widget import Widget

__all__ = ["Widget", "attention_widget", "beam_widget", "bugs_widget", "predict_widget", "push_widget", "step_player"]
