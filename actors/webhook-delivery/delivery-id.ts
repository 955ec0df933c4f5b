/** The id of the record of one event's deliveries to one webhook. */
export function deliveryId(webhookId: string, eventId: string): string {
  return `${webhookId}:${eventId}`;
}
