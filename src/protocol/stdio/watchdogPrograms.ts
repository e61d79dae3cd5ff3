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

/**
 * The watchdog of Windows. Its text is run by its own Node (`watchdog.ts`), so it uses nothing of this module. It reads
 * the same input as the script for POSIX, and ends the processes and their descendants when the input ends without a
 * farewell. A process that was created after its number was sent, or a child that is older than its parent, is another
 * process with a reused number (PRC-14).
 */
export function watchOnWindows(): void {
	const { execFile } = process.getBuiltinModule("node:child_process");
	const known = new Map<string, number>();
	let rest = "";
	process.stdin.on("data", (chunk: Buffer) => {
		const lines = (rest + chunk.toString()).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) {
			const [verb, id = ""] = line.split(" ");
			if (verb === "+") known.set(id, Date.now());
			else if (verb === "-") known.delete(id);
			else process.exit(0);
		}
	});
	process.stdin.on("error", () => undefined);
	process.stdin.on("close", () => {
		// Their input has ended as well: most exit on their own.
		setTimeout(endAll, 1000);
	});

	function endAll(): void {
		if (known.size === 0) return;
		const query =
			"Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, " +
			"([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds() }";
		const args = ["-NoProfile", "-NonInteractive", "-Command", query];
		execFile("powershell.exe", args, { maxBuffer: 1 << 24, windowsHide: true }, (_error, stdout) => {
			const rows = stdout.split("\n").map((row) => row.trim().split(" "));
			const ids = rows.filter(([id = "", , made]) => Number(made) <= (known.get(id) ?? 0)).map(([id]) => id);
			const madeAt = new Map(rows.map(([id, , made]) => [id, Number(made)]));
			// The list grows while it is walked, until the leaves are reached.
			for (const id of ids) {
				const isChild = ([, parent, made]: string[]): boolean =>
					parent === id && Number(made) >= (madeAt.get(id) ?? Number.POSITIVE_INFINITY);
				for (const row of rows) if (isChild(row) && !ids.includes(row[0])) ids.push(row[0]);
			}
			const targets = ids.flatMap((id) => (id === undefined ? [] : ["/PID", id]));
			if (targets.length > 0) execFile("taskkill", ["/F", ...targets], { windowsHide: true }, () => undefined);
		});
	}
}
