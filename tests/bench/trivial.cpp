// The least that a FastCGI responder can do: what the API's routes are measured against.
#include <fcgiapp.h>

int main() {
    FCGX_Request request;
    if (FCGX_Init() != 0 || FCGX_InitRequest(&request, 0, 0) != 0) return 1;
    while (FCGX_Accept_r(&request) == 0) {
        FCGX_PutS("Status: 200\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{\"data\":{}}", request.out);
        FCGX_Finish_r(&request);
    }
}
