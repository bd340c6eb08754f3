/** By this header whoever answers knows a request again that is asked a second time because its answer was lost. */
export const requestHeader = "x-signalbox-request";
