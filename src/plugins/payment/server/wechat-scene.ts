/** What WeChat Pay wants to know of commission (scene 1005), by its own names. */
export const reported = { job: '岗位类型', reward: '报酬说明' } as const;
