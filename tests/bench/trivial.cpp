// The least that a FastCGI responder can do: it sends what it was started with, and is what the API's routes are measured
// against.
#include <fcgiapp.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace {

std::string content(const std::string& folder, const char* name) {
    std::ifstream file(folder + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A whole answer with the body in `folder`/`name`.
std::string load(const std::string& folder, const char* name) {
    const auto body = content(folder, name);
    return "Status: 200\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const std::string list = load(argv[1], "list"), detail = load(argv[1], "detail"), stock = load(argv[1], "stock"),
                      small = load(argv[1], "small"),
                      not_modified = "Status: 304\r\n" + content(argv[1], "not-modified") + "\r\n";
    FCGX_Request request;
    if (FCGX_Init() != 0 || FCGX_InitRequest(&request, 0, 0) != 0) return 1;
    while (FCGX_Accept_r(&request) == 0) {
        const char* target = FCGX_GetParam("REQUEST_URI", request.envp);
        const std::string_view path = target ? target : "";
        const auto& answer = FCGX_GetParam("HTTP_IF_NONE_MATCH", request.envp) ? not_modified
                             : path.starts_with("/api/v1/jobs/")               ? detail
                             : path.starts_with("/api/v1/jobs")                ? list
                             : path.starts_with("/api/v1/stock")               ? stock
                                                                               : small;
        FCGX_PutStr(answer.data(), int(answer.size()), request.out);
        FCGX_Finish_r(&request);
    }
}
