import type { Client } from "@modelcontextprotocol/client";
import {
	DIRECTORY_MIME_TYPE,
	SkillsClient,
	SkillVerificationError,
	type Skill as ListedSkill,
} from "@modelcontextprotocol/client/ext/skills";
import { HostError } from "../../base/errors.ts";
import { oneLine } from "../../base/text.ts";
import type { RequestControl } from "../connection.ts";
import { requestOptions } from "./requests.ts";
import type { Skill, SkillFile, SkillFolderEntry, SkillList } from "../skill.ts";

/** See `Connection.listSkills`. */
export async function listSkills(client: Client, control: RequestControl): Promise<SkillList> {
	const skills = new SkillsClient(client, { skipInvalid: true });
	if (!skills.supported) return { skills: [], refused: [] };
	const listing = await skills.list({}, requestOptions(control));
	return {
		skills: listing.skills,
		refused: listing.invalid.map(({ index, uri, reason }) =>
			oneLine(`Skill ${index + 1}${uri === undefined ? "" : ` (${uri})`} is left out: ${reason}`, 500),
		),
	};
}

/** See `Connection.getSkill`. */
export async function getSkill(client: Client, uri: string, control: RequestControl): Promise<Skill> {
	return (await new SkillsClient(client).get(uri, requestOptions(control))).skill;
}

/** See `Connection.readSkillFolder`. */
export async function readSkillFolder(
	client: Client,
	uri: string,
	control: RequestControl,
): Promise<readonly SkillFolderEntry[] | undefined> {
	const skills = new SkillsClient(client);
	if (!skills.directoryRead) return undefined;
	const { resources } = await skills.readDirectory(uri, requestOptions(control));
	return resources.map(({ uri, mimeType, description }) => ({
		uri,
		isFolder: mimeType === DIRECTORY_MIME_TYPE,
		description,
	}));
}

/** See `Connection.readSkill`. */
export async function readSkill(
	client: Client,
	skill: Skill,
	path: string | undefined,
	control: RequestControl,
): Promise<SkillFile> {
	try {
		const { resources } = skill;
		const listed: ListedSkill = { ...skill, resources: resources === "dynamic" ? resources : [...resources] };
		const file = await new SkillsClient(client).read(listed, path, requestOptions(control));
		const { uri, mimeType, bytes, text, body } = file;
		return { uri, mimeType, bytes, text, body };
	} catch (error) {
		if (!(error instanceof SkillVerificationError)) throw error;
		const name = oneLine(skill.frontmatter.name, 80);
		throw new HostError("protocol", `The skill ${name} is not used: ${whys[error.reason]}.`, { cause: error });
	}
}

const whys: Readonly<Record<SkillVerificationError["reason"], string>> = {
	unlisted: "the server did not list the file",
	size: "a file does not have the size that the server listed",
	digest: "a file does not have the hash that the server listed",
	frontmatter: "its SKILL.md does not match the description that the server listed",
};
