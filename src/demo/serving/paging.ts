import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/**
 * The page of a list at a cursor, and the cursor of the next page if there is one. Cursors are opaque to clients.
 * Throws invalid-params for a cursor that this function did not make (specification, "Pagination").
 */
export function pageOf<T>(items: readonly T[], size: number, cursor?: string): { items: T[]; nextCursor?: string } {
	const start =
		cursor === undefined
			? 0
			: Number(
					Buffer.from(cursor, "base64url")
						.toString()
						.replace(/^from:/, ""),
				);
	if (!Number.isInteger(start) || start % size !== 0 || start < 0 || start > items.length || cursor === "") {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This is not a cursor of the list.");
	}
	const end = start + size;
	const nextCursor = end < items.length ? { nextCursor: Buffer.from(`from:${end}`).toString("base64url") } : {};
	return { items: items.slice(start, end), ...nextCursor };
}
