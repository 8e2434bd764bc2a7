#!/bin/bash
# Runs one case. The reason of a failure goes to descriptor 3.
set -Eeuo pipefail

source /mnt/vm/guest/library.sh
trap 'echo "line $LINENO of ${BASH_SOURCE[0]##*/vm/}: $BASH_COMMAND" >&3' ERR

: >/run/system-log
reset_radios
reset_login
install_product
reset_policy
set -x
source "/mnt/vm/cases/$1/case.sh"
