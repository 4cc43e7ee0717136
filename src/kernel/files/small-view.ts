/** The link of a kept picture as one of its small view; any other link as it is. */
export const smallView = (link: string): string => link.replace(/^([^#]*[?&]key=[0-9a-f]{32}[^#]*)/, '$1&view=small');
