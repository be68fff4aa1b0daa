/** Variables of a child that prints no colours, whatever the caller of the tests likes. */
export const PLAIN_TEXT = { NO_COLOR: "1", FORCE_COLOR: "" } as const;
