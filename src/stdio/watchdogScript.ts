/**
 * The watchdog of POSIX systems, for `/bin/sh`: about 1 MB, where a Node process takes 40. It reads `+ <group>`,
 * `- <group>` and `bye` from its input. When the input ends without a farewell the host is gone; then it ends the groups
 * that it knows and their descendants, politely at first. Each process is known by its start time too, so that a number
 * which was given out again is nobody it knows (security.md PRC-03, PRC-14).
 */
export const watchdogScript = `
trap '' HUP INT QUIT TERM PIPE
cd /
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

# Sets start: when the process $1 was started, empty when there is none.
look() {
	start= stat=
	if [ -r /proc/self/stat ]; then
		{ read -r stat < "/proc/$1/stat"; } 2>/dev/null || return 0
		set -- \${stat##*) }
		# A zombie is gone; it only waits for a parent that does not look.
		[ "$1" = Z ] && return 0
		start=\${20}
	else
		start=$(ps -o lstart= -p "$1" 2>/dev/null | tr -s ' ' '_')
	fi
}

# Sets children: those of the process $1.
list() {
	children=
	if [ -r "/proc/$1/task/$1/children" ]; then
		for file in "/proc/$1/task/"*/children; do
			more=
			{ read -r more < "$file"; } 2>/dev/null
			children="$children $more"
		done
	else
		children=$(pgrep -P "$1" 2>/dev/null)
	fi
}

# Whether the group of the entry $1 is still the one that was told of. While a group has a number, no process gets it.
ours() {
	kill -s 0 -- "-\${1%%:*}" 2>/dev/null || return 1
	look "\${1%%:*}"
	[ -z "$start" ] || [ "$start" = "\${1#*:}" ]
}

same() {
	look "\${1%%:*}"
	[ -n "$start" ] && [ "$start" = "\${1#*:}" ]
}

# Notes the descendants of the groups' first processes: some may have left their group.
gather() {
	queue=
	for entry in $groups; do
		same "$entry" && queue="$queue \${entry%%:*}"
	done
	while [ -n "$queue" ]; do
		set -- $queue
		list "$1"
		shift
		queue="$*"
		for child in $children; do
			look "$child"
			family="$family $child:$start"
			queue="$queue $child"
		done
	done
}

send() {
	for entry in $groups; do
		ours "$entry" && kill -s "$1" -- "-\${entry%%:*}"
	done
	for entry in $family; do
		same "$entry" && kill -s "$1" "\${entry%%:*}"
	done
} 2>/dev/null

lives() {
	for entry in $groups; do
		ours "$entry" && return 0
	done
	for entry in $family; do
		same "$entry" && return 0
	done
	return 1
}

# Waits $1 tenths of a second, or until nobody lives any more.
wait_for_end() {
	tenths=$1
	while [ "$tenths" -gt 0 ] && lives; do
		sleep 0.1 2>/dev/null || sleep 1
		tenths=$((tenths - 1))
	done
}

groups= family=
while read -r verb id; do
	case $verb in
	+)
		look "$id"
		groups="$groups $id:$start"
		;;
	-)
		kept=
		for entry in $groups; do
			[ "\${entry%%:*}" = "$id" ] || kept="$kept $entry"
		done
		groups=$kept
		;;
	bye) exit 0 ;;
	esac
done

gather
# Their input has ended as well: most leave by themselves.
wait_for_end 5
send TERM
wait_for_end 15
send KILL
wait_for_end 2
send KILL
`;
