import type { parseWindowsProcesses, windowsTree } from "./windowsProcesses.ts";

/**
 * The watchdog of POSIX systems, for `/bin/sh`: about 1 MB, where a Node process takes 40. It reads `+ <group>`,
 * `- <group>` and `bye` from its input. When the input ends without a farewell the host is gone; then it ends the groups
 * that it knows and their descendants, politely at first. Each process is known by its start time too, so that a number
 * which was given out again is nobody it knows (PRC-03, PRC-14).
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

# Whether the group of the entry $1 is still the one that was reported. While a group has a number, no process gets it.
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
# Their input has ended as well: most exit on their own.
wait_for_end 5
send TERM
wait_for_end 15
send KILL
wait_for_end 2
send KILL
`;

/** The functions and programs that the watchdog of Windows gets in its text. */
interface WindowsTools {
	readonly parse: typeof parseWindowsProcesses;
	readonly treeOf: typeof windowsTree;
	readonly query: { readonly program: string; readonly args: readonly string[] };
	readonly taskkill: string;
}

/**
 * The watchdog of Windows. Its text is run by its own Node (`watchdog.ts`), so it uses nothing of this module. It reads
 * the same input as the script for POSIX, and ends the processes and their descendants when the input ends without a
 * farewell. Windows ends the servers themselves with the host; those that they started lose their parents by that.
 */
export function watchOnWindows({ parse, treeOf, query, taskkill }: WindowsTools): void {
	const { execFile } = process.getBuiltinModule("node:child_process");
	const known = new Map<number, number>();
	let rest = "";
	process.stdin.on("data", (chunk: Buffer) => {
		const lines = (rest + chunk.toString()).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) {
			const [verb, id = ""] = line.split(" ");
			if (verb === "+") known.set(Number(id), Date.now());
			else if (verb === "-") known.delete(Number(id));
			else process.exit(0);
		}
	});
	process.stdin.on("error", () => undefined);
	process.stdin.on("close", () => {
		const endedAt = Date.now();
		// Their input has ended as well: most exit on their own. Processes may be made while others are ended.
		for (const waitMs of [1000, 3000]) setTimeout(() => endAll(endedAt), waitMs);
	});

	function endAll(endedAt: number): void {
		if (known.size === 0) return;
		const lives = [...known].map(([pid, knownAt]) => ({ pid, knownAt, endedAt }));
		execFile(query.program, query.args, { maxBuffer: 1 << 24, windowsHide: true }, (_error, answer) => {
			const targets = treeOf(lives, parse(answer)).flatMap(({ pid }) => ["/PID", String(pid)]);
			if (targets.length > 0) execFile(taskkill, ["/F", ...targets], { windowsHide: true }, () => undefined);
		});
	}
}
