import { HostError, messageOf } from "../../base/errors.ts";
import type { Launch } from "../../protocol/launch.ts";
import { readableLine, StderrTail } from "../../protocol/stdio/stderrTail.ts";
import { programName } from "../../protocol/stdio/launchers.ts";
import { packageOf, type LaunchedPackage } from "../definitions/packageOf.ts";
import { causeOf } from "./startCause.ts";
import type { SessionState } from "./session.ts";

type Failed = Extract<SessionState, { kind: "failed" }>;

/** How many lines of standard error are shown with a failure. */
const shownLines = 10;
/** The silence after which the possible work of a launcher is shown, in milliseconds. */
const silenceMs = 3000;

/** Launchers that download missing packages or images, what they download, and how they report it. */
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

/** The services that runs use, and their callbacks. */
export interface RunOutputOptions {
	readonly launch: Launch;
	/** The parts of its entry that stay as written although a shell would replace them: our sentences. */
	readonly left?: readonly string[];
	/** Takes a complete line of standard error. */
	readonly onLine: (line: string) => void;
	readonly redact: (text: string) => string;
	/** The work of the server's launcher before the server itself runs, in words for its row. */
	readonly onWaiting: (note: string) => void;
	/** Ends the watch. */
	readonly signal: AbortSignal;
}

/** The output of a run's process that is not a message, and its meaning for the start and the failure. */
export class RunOutput {
	private readonly stderr: StderrTail;
	private readonly redact: (text: string) => string;
	private readonly given: ReadonlySet<string>;
	private readonly launched: LaunchedPackage | undefined;
	private readonly left: readonly string[];
	/** The launcher that downloads the server, if there is one. */
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

	/** Takes a line of standard output that is not a message; the first one counts. */
	addNoise(line: string): void {
		this.noise ??= readableLine(this.redact(line));
	}

	/** Forgets everything, because later output is from another process. */
	clear(): void {
		this.stderr.clear();
		this.noise = undefined;
	}

	/**
	 * The text about a failure: the reason, as far as the output shows it, then what happened. `wasConnected`: the server
	 * ran, so its last line need not be about its end.
	 */
	failure(error: unknown, wasConnected: boolean): Omit<Failed, "retryAt"> {
		const told = messageOf(error);
		const lines = this.stderr.last(Number.POSITIVE_INFINITY).map(this.redact);
		const { noise, launcher } = this;
		// A launcher that has been silent until then is probably still downloading.
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
