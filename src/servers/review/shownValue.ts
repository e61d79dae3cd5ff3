import { secretsIn } from "../../base/secrets/judge.ts";
import { shownSecret, shownVariable } from "../approval/keptApproval.ts";

/** How the value of a header is shown: in full, unless it is proven to be a secret, which is marked as masked. */
export function shownHeader(name: string, value: string): string {
	return holdsSecret(name, value) ? shownSecret(value) : value;
}

/** How a variable of a server's environment is shown: its value, unless that is a secret, which is marked as masked. */
export function shownEnvironment(name: string, value: string): string {
	return shownVariable(name, value, (text) => (text !== value || holdsSecret(name, value) ? shownSecret(text) : text));
}

function holdsSecret(name: string, value: string): boolean {
	return secretsIn(name, value, "entry").length > 0;
}
