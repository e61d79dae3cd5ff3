import { isThisMachine } from "../base/addresses.ts";

/**
 * Which machine an address of the machine itself means, in a window whose extensions run elsewhere than before the user;
 * empty for other addresses and other windows. `remote`: the kind of remote, such as `ssh-remote`.
 */
export function machineNote(address: string, remote: string | undefined): string {
	const url = URL.parse(address);
	if (remote === undefined || url === null || !isThisMachine(url)) return "";
	return ` In this window, ${url.hostname} is the remote machine, not your own.`;
}
