import { HostError, messageOf } from "../../base/errors.ts";
import type { Launch } from "../../protocol/launch.ts";
import { readableLine, StderrTail } from "../../protocol/stdio/stderrTail.ts";
import { programName } from "../../protocol/stdio/launchers.ts";
import { packageOf, type LaunchedPackage } from "../definitions/packageOf.ts";
import { causeOf } from "./startCause.ts";
import type { SessionState } from "./session.ts";

type Failed = Extract<SessionState, { kind: "failed" }>;

/** How many lines of standard error stand with a failure. */
const shownLines = 10;
/** After how long a silence it is said what a launcher may be doing, in milliseconds. */
const silenceMs = 3000;

/** What brings along packages or images that are not there yet, what it brings, and how it says so. */
const launchers: readonly {
	readonly names: RegExp;
	readonly brings: string;
	readonly says: RegExp;
}[] = [
	{
		names: /^(?:npx|pnpx|bunx|npm|pnpm|yarn|bun)$/,
		brings: "package",
		says: /will be installed|^Progress: resolved|^Resolving /,
	},
	{
		names: /^(?:uvx|uv|pipx)$/,
		brings: "package",
		says: /^\s*(?:Downloading|Downloaded|Building|Resolved \d|Preparing|Updating|creating virtual environment)/,
	},
	{
		names: /^(?:docker|podman|nerdctl)$/,
		brings: "image",
		says: /Unable to find image|Pulling (?:from|fs layer)|Trying to pull|Pull complete/,
	},
	{ names: /^dnx$/, brings: "package", says: /Downloading/ },
];

/** What runs wait for, and what they tell. */
export interface RunOutputOptions {
	readonly launch: Launch;
	/** What of its entry stays as it is written, though a shell would replace it: sentences of ours. */
	readonly left?: readonly string[];
	/** Takes a complete line of standard error. */
	readonly onLine: (line: string) => void;
	readonly redact: (text: string) => string;
	/** What the server's launcher does before the server itself runs, in words for its row. */
	readonly onWaiting: (note: string) => void;
	/** Ends the watch. */
	readonly signal: AbortSignal;
}

/** What the process of a run writes that is no message, and what that says of its start and of its failure. */
export class RunOutput {
	private readonly stderr: StderrTail;
	private readonly redact: (text: string) => string;
	private readonly given: ReadonlySet<string>;
	private readonly launched: LaunchedPackage | undefined;
	private readonly left: readonly string[];
	/** What brings the server along, where something does. */
	private readonly launcher: { readonly name: string } | undefined;
	private noise: string | undefined;

	constructor({ launch, left = [], onLine, redact, onWaiting, signal }: RunOutputOptions) {
		this.redact = redact;
		this.left = left;
		this.launched = launch.kind === "stdio" ? packageOf(launch.command, launch.args) : undefined;
		this.given = new Set(launch.kind === "stdio" ? Object.keys(launch.env) : []);
		const name = launch.kind === "stdio" ? programName(launch.command) : "";
		const launcher = launchers.find(({ names }) => names.test(name));
		this.launcher = launcher === undefined ? undefined : { name };
		let isTold = false;
		this.stderr = new StderrTail((line) => {
			onLine(line);
			if (launcher === undefined || isTold || !launcher.says.test(line)) return;
			isTold = true;
			onWaiting(`downloading with ${name}…`);
		}, redact);
		if (launcher === undefined) return;
		const timer = setTimeout(() => {
			if (!isTold) onWaiting(`${name} may be downloading the ${launcher.brings}…`);
		}, silenceMs).unref();
		signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
	}

	/** Takes a piece of standard error. */
	write(text: string): void {
		this.stderr.write(text);
	}

	/** Takes a line of standard output that is no message; the first one counts. */
	addNoise(line: string): void {
		this.noise ??= readableLine(this.redact(line));
	}

	/** Forgets everything, as what follows comes from another process. */
	clear(): void {
		this.stderr.clear();
		this.noise = undefined;
	}

	/**
	 * What is to be told of a failure: why, as far as the output says, then what happened. `wasConnected`: the server ran, so
	 * that its last line need not be about its end.
	 */
	failure(error: unknown, wasConnected: boolean): Omit<Failed, "retryAt"> {
		const told = messageOf(error);
		const lines = this.stderr.last(Number.POSITIVE_INFINITY).map(this.redact);
		const { noise, launcher } = this;
		// A launcher that has said nothing by then may well be downloading still.
		const isLate = HostError.is(error, "timeout") && launcher !== undefined && noise === undefined;
		const what = isLate
			? `${told} ${launcher.name} may still have been downloading. Start the server again, or increase mcpHost.handshakeTimeout.`
			: told;
		const cause = causeOf(lines, wasConnected ? undefined : noise, {
			mayGuess: !wasConnected,
			given: this.given,
			...(this.launched === undefined ? {} : { launched: this.launched }),
		});
		return {
			kind: "failed",
			message: [...(cause === undefined ? [] : [cause.words]), what, ...(wasConnected ? [] : this.left)].join(" "),
			stderr: lines.slice(-shownLines),
			...(cause === undefined ? {} : { cause: { ...cause, what } }),
			...(noise === undefined ? {} : { noise }),
		};
	}
}
