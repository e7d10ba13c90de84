# SPDX-License-Identifier: MIT
"""What keeps the checkout in order: set-up, workflows, the time that tests may take."""
