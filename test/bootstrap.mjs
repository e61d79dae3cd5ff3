/**
 * Entry point of `npm start`, `npm test` and `npm run test:all`, and the only script that has to run on a fresh clone:
 * with Node 20 and nothing installed. It installs the dependencies and a newer Node where the tools need one, then runs
 * the task.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const nodeFile = process.platform === "win32" ? "node.exe" : "node";
const tasks = ["start", "test"];

class SetupError extends Error {}

try {
	process.exitCode = await main(process.argv[2] ?? "", process.argv.slice(3));
} catch (error) {
	console.error(error instanceof SetupError ? `\n${error.message}` : error);
	process.exitCode = 1;
}

/**
 * @param {string} task
 * @param {string[]} args
 */
async function main(task, args) {
	if (Number(process.versions.node.split(".")[0]) < 20) {
		throw new SetupError(`Node ${process.versions.node} is too old: install Node 20 or newer.`);
	}
	if (!tasks.includes(task)) {
		throw new SetupError(`Unknown task "${task}": use one of ${tasks.join(", ")}.`);
	}
	await installDependencies();
	const node = await findNode();
	const path = [dirname(node), join(modules, ".bin"), process.env.PATH ?? ""].join(delimiter);
	return run(node, [join(root, "test", "tasks", `${task}.ts`), ...args], { PATH: path });
}

/** Installs the packages of package-lock.json, unless exactly those are installed. */
async function installDependencies() {
	if (isInstalled()) {
		return;
	}
	const flags = ["--no-audit", "--no-fund", "--loglevel=error"];
	let result = await npm("Dependencies (npm ci)", ["ci", ...flags], root);
	if (result.output.includes("code EUSAGE")) {
		// A registry that lacks a tool's packages for other platforms makes a lock file that `npm ci` refuses.
		result = await npm(
			"Dependencies (npm install, since npm ci refuses the lock file)",
			["install", "--no-save", ...flags],
			root,
		);
	}
	failUnlessDone("The dependencies", result);
}

/** Compares package-lock.json with the list that npm leaves in node_modules when an install is complete. */
function isInstalled() {
	const list = join(modules, ".package-lock.json");
	if (!existsSync(list)) {
		return false;
	}
	const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
	const installed = JSON.parse(readFileSync(list, "utf8")).packages;
	return Object.entries(wanted).every(
		([folder, entry]) => folder === "" || entry.optional || installed[folder]?.version === entry.version,
	);
}

/** The path of a Node that runs TypeScript: this one, the one among the dependencies, or one in the cache. */
async function findNode() {
	const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
	if (major > 22 || (major === 22 && minor >= 18)) {
		return process.execPath;
	}
	const installed = join(modules, "node", "bin", nodeFile);
	return existsSync(installed) ? installed : cachedNode();
}

/** For npm configurations that forbid install scripts, by which the package `node` gets its binary. */
async function cachedNode() {
	const version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies.node;
	const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
	const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "mcp-host");
	const target = join(cache, `${name}-${version}`);
	if (!existsSync(join(target, ".complete"))) {
		mkdirSync(cache, { recursive: true });
		const work = mkdtempSync(`${target}.tmp-`);
		try {
			writeFileSync(join(work, "package.json"), '{ "private": true }\n');
			const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
			failUnlessDone(
				`Node ${version}`,
				await npm(`Node ${version} (once per machine)`, ["install", ...flags, `${name}@${version}`], work),
			);
			writeFileSync(join(work, ".complete"), "");
			moveIntoPlace(work, target);
		} finally {
			rmSync(work, { recursive: true, force: true });
		}
	}
	return join(target, "node_modules", name, "bin", nodeFile);
}

/**
 * Another clone may have been faster; its folder is as good.
 * @param {string} work
 * @param {string} target
 */
function moveIntoPlace(work, target) {
	if (existsSync(target) && !existsSync(join(target, ".complete"))) {
		rmSync(target, { recursive: true, force: true });
	}
	try {
		renameSync(work, target);
	} catch (error) {
		if (!existsSync(join(target, ".complete"))) {
			throw error;
		}
	}
}

/**
 * Runs npm with a line when it starts, every ten seconds, and when it ends.
 * @param {string} title
 * @param {string[]} args
 * @param {string} cwd
 */
async function npm(title, args, cwd) {
	const start = Date.now();
	const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
	console.log(`${title} …`);
	const heartbeat = setInterval(() => console.log(`${title} … ${seconds()}`), 10_000);
	// Variables of `npm start` about this package would redirect an install in another folder back here.
	const inherited =
		/^(npm_(lifecycle|package|command|execpath|node_execpath)|npm_config_(local_|global_)?prefix|INIT_CWD)/;
	const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)));
	let output = "";
	const child = spawn("npm", args, {
		cwd,
		env,
		stdio: ["ignore", "pipe", "pipe"],
		shell: process.platform === "win32",
	});
	child.stdout.on("data", (chunk) => (output += chunk));
	child.stderr.on("data", (chunk) => (output += chunk));
	const code = await new Promise((resolve) => {
		child.on("error", (error) => {
			output += error.message;
			resolve(127);
		});
		child.on("close", resolve);
	}).finally(() => clearInterval(heartbeat));
	console.log(`${title}: ${code === 0 ? "done" : "failed"} after ${seconds()}`);
	return { code, output };
}

/**
 * @param {string} what
 * @param {{ code: number, output: string }} result
 */
function failUnlessDone(what, { code, output }) {
	if (code !== 0) {
		const advice = "check that the npm registry answers (`npm ping`) and run the same command again";
		throw new SetupError(
			`${what} could not be installed: ${advice}. npm said:\n${output.trimEnd().split("\n").slice(-8).join("\n")}`,
		);
	}
}

/**
 * Runs the task to its end. Ctrl+C reaches the task directly; other signals are passed on, so that it can clean up.
 * @param {string} node
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number>}
 */
function run(node, args, env) {
	// A newer Node strips types without a warning.
	const child = spawn(node, ["--disable-warning=ExperimentalWarning", ...args], {
		cwd: root,
		env: { ...process.env, ...env },
		stdio: "inherit",
	});
	process.on("SIGINT", () => undefined);
	for (const signal of ["SIGTERM", "SIGHUP"]) {
		process.on(signal, () => child.kill(signal));
	}
	if (process.env.npm_lifecycle_event !== undefined) {
		// npm passes a signal on to the shell between it and this process, which ends without passing it on.
		const shell = process.ppid;
		setInterval(() => process.ppid !== shell && child.kill("SIGTERM"), 1000).unref();
	}
	return new Promise((resolve, reject) => {
		child.on("error", reject);
		child.on("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 143)));
	});
}
