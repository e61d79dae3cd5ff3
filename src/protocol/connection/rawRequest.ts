import { ProtocolError, type Client, type StandardSchemaV1 } from "@modelcontextprotocol/client";
import type { Json, JsonObject } from "../../base/json.ts";
import { jsonOf } from "../../base/guards.ts";
import type { RawAnswer, RequestControl } from "../connection.ts";
import { ofCall } from "../wireTap.ts";
import { requestOptions } from "./requests.ts";

/** Takes every result as it is. */
const anything: StandardSchemaV1<unknown, Json> = {
	"~standard": { version: 1, vendor: "mcp-host", validate: (value) => ({ value: jsonOf(value) }) },
};

/** Sends a request of any method, for those who look at how a server answers: an error of the server's is an answer. */
export async function rawRequest(
	client: Client,
	method: string,
	params: JsonObject,
	control: RequestControl,
): Promise<RawAnswer> {
	try {
		const request = { method, params: ofCall({ ...params }, control.call) };
		return { result: await client.request(request, anything, requestOptions(control)) };
	} catch (error) {
		if (error instanceof ProtocolError) return { code: error.code, message: error.message };
		throw error;
	}
}
