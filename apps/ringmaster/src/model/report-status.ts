/** How a worker may say that its task ended. */
export const reportStatuses = ['completed', 'failed', 'review', 'blocked', 'released'] as const;
export type ReportStatus = (typeof reportStatuses)[number];
