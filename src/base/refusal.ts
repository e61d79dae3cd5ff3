import { HostError, type HostErrorCode } from "./errors.ts";

/** The JSON-RPC codes with which the host refuses a server's request: rejected by the user, bad params, any other. */
export type RefusalCode = -1 | -32602 | -32603;

/**
 * A refusal of a server's request. Its handler sends `rpcCode` and the message, which is therefore written for the
 * server's author and contains no data of the user.
 */
export class RequestRefusal extends HostError {
	readonly rpcCode: RefusalCode;

	constructor(rpcCode: RefusalCode, code: HostErrorCode, message: string) {
		super(code, message);
		this.rpcCode = rpcCode;
	}
}

/**
 * The user declined a sampling request, explicitly or by closing its panel (specification, "Sampling", errors). A
 * reason is sent to the server only if the user gives one.
 */
export function rejectedByUser(reason = ""): RequestRefusal {
	const message = "User rejected sampling request";
	return new RequestRefusal(-1, "denied", reason === "" ? message : `${message}: ${reason}`);
}

/** The request breaks the contract of its method; the message says how. */
export function invalidParams(message: string): RequestRefusal {
	return new RequestRefusal(-32602, "invalid", message);
}
