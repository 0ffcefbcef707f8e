/** In a file of its own, so that its chunk has this function only, not every export of the package. */
export { io } from "socket.io-client";
