/* test_unlinked.c - a host that was not linked with libpam loads the module */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*setcred)(void *, int, int, const char **) = NULL;

    if (module != NULL)
        *(void **)&setcred = dlsym(module, "pam_sm_setcred");
    if (setcred == NULL || dlsym(module, "pam_sm_authenticate") == NULL || setcred(NULL, 0, 0, NULL) != 0)
        return printf("%s\n", dlerror()), 1;
    return dlclose(module) != 0;
}
