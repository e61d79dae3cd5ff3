import { describe, expect, it } from "vitest";
import { warningsFor } from "../../../../src/servers/review/review.ts";
import { stdioConfig } from "../fixtures.ts";

describe("warningsFor: text as code and containers (CFG-08)", () => {
	it.each([
		["node --eval", "node", ["--input-type=module", "--eval", "x"]],
		["node -p", "node", ["--require", "./x.js", "-p", "x"]],
		["node -e", "env", ["-S", "node -e eval(process.env.API_KEY)"]],
		["python3 -c", "python3", ["-I", "-c", "x"]],
		["python3.12 -Ic", "/usr/bin/python3.12", ["-Ic", "x"]],
		["sh -c", "sh", ["-c", "$API_KEY"]],
		["zsh -lc", "env", ["zsh", "-lc", "x"]],
		["cmd /c", "C:\\Windows\\cmd.exe", ["/d", "/s", "/c", "x"]],
		["powershell -EncodedCommand", "powershell.exe", ["-NoProfile", "-EncodedCommand", "eA=="]],
		["pwsh -Command", "pwsh", ["-ExecutionPolicy", "Bypass", "-Command", "x"]],
		["deno eval", "deno", ["eval", "x"]],
		["perl -e", "perl", ["-e", "x"]],
		["ruby -e", "ruby", ["-ne", "x"]],
		["bun -e", "bun", ["-e", "x"]],
		["npx -c", "npx", ["-y", "-c", "x"]],
		["bash -c", "docker", ["run", "--rm", "image", "bash", "-c", "x"]],
	])("warns that %s runs text as code, which may use masked values", (words, command, args) => {
		const masked = warningsFor(stdioConfig({ command, args, env: { API_KEY: "code that nobody sees", LANG: "C" } }));
		expect(masked.join()).toMatch(
			/It runs text as code \(.+\)\. This code may use or run the masked values of API_KEY\./,
		);
		const name = words.replace("ruby -e", "ruby -ne");
		expect(masked.join()).toContain(`(${name})`);
		const open = warningsFor(stdioConfig({ command, args, env: { LANG: "C" } })).join();
		expect(open).toMatch(/It runs text as code|It runs a shell/);
		expect(open).not.toContain("masked");
	});

	it.each([
		["node", ["server.js", "-e", "production"]],
		["node", ["--inspect", "server.js"]],
		["python3", ["server.py", "-c", "config.json"]],
		["python3", ["-m", "server", "-c", "config.json"]],
		["deno", ["run", "-A", "server.ts", "eval"]],
		["npx", ["-y", "server", "-c", "config.json"]],
		["uvx", ["server", "-e", "x"]],
	])("does not warn of %s %j, if the options belong to the script", (command, args) => {
		expect(warningsFor(stdioConfig({ command, args })).join()).not.toContain("text as code");
	});

	it.each([
		[["--privileged"], "full access to this machine"],
		[["-v", "/:/host"], "all files on this machine"],
		[["-v/:/host:ro"], "all files on this machine"],
		[["--volume=//:/host"], "all files on this machine"],
		[["-v", "C:\\:/host"], "all files on this machine"],
		[["--mount", "type=bind,source=/,target=/host"], "all files on this machine"],
		[["--mount=type=bind,src=/x/..,dst=/host"], "all files on this machine"],
		[["-v", "/var/run/docker.sock:/var/run/docker.sock"], "Docker's socket controls the whole machine"],
		[["-v", "//./pipe/docker_engine://./pipe/docker_engine"], "Docker's socket controls the whole machine"],
		[["-v", "/etc:/etc"], "system or user files"],
		[["--pid=host"], "--pid=host"],
		[["--network", "host"], "--network=host"],
		[["--net=host"], "--net=host"],
		[["--cap-add=ALL"], "--cap-add=ALL"],
		[["--cap-add", "CAP_SYS_ADMIN"], "--cap-add=CAP_SYS_ADMIN"],
		[["--security-opt", "seccomp=unconfined"], "seccomp=unconfined"],
		[["--device=/dev/sda"], "/dev/sda"],
	])("warns that %j gives the machine to a container", (options, part) => {
		for (const words of [
			["docker", "run", "-i"],
			["podman", "--log-level=error", "run"],
			["sudo", "docker", "container", "run"],
		]) {
			const args = [...words.slice(1), ...options, "image"];
			expect(warningsFor(stdioConfig({ command: words[0] ?? "", args })).join()).toContain(part);
		}
	});

	it.each([
		[["-v", "/home/u/notes:/data:ro", "--network=none", "--cap-drop=ALL"]],
		[["--privileged=false", "-e", "TOKEN", "--mount", "type=volume,source=data,target=/data"]],
		[["-v", "${workspaceFolder}:/work", "-v", "data:/data"]],
	])("does not warn of a container with %j", (options) => {
		expect(warningsFor(stdioConfig({ command: "docker", args: ["run", ...options, "image"] }))).toEqual([]);
	});
});
