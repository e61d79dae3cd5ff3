/** The name of the skills extension (SEP-2640), declared because `skills.ts` implements it (spec.md EX3). */
export const skillsExtension = "io.modelcontextprotocol/skills";
