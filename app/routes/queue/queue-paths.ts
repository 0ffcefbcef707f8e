import { href } from "react-router";

/** The pages of the queue, by the area in which they are mounted: of the doctor, and of members of a hospital or clinic. */
export const QUEUE_PATHS = { doctor: href("/doctor/queue"), desk: href("/desk/queue") };
export type QueueArea = keyof typeof QUEUE_PATHS;
